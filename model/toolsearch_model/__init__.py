"""Builds the static embedding model that searches tools by meaning: from packages to `model.bin`."""
