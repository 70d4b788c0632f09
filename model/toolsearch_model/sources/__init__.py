"""Readers of what packages hold: each finds English strings and their translations in one kind of file."""
