"""`python -m toolsearch_model build --work DIR`."""

import argparse
import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """The command; its exit status."""
    given = _parser().parse_args(arguments)
    # Threads that wait without working leave the processor to the others; both must be said before
    # numpy is loaded, and so its users are imported here.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    from toolsearch_model.build import PACKAGES, Build, Settings
    from toolsearch_model.vocabulary import Sizes

    sizes = Sizes()
    settings = Settings(
        work=given.work,
        packages=given.packages or PACKAGES,
        exclude=given.exclude,
        summaries=given.summaries,
        start=given.start,
        steps=given.steps,
        seed=given.seed,
        dimensions=given.dimensions,
        sizes=Sizes(given.pieces or sizes.pieces, given.words or sizes.words),
    )
    try:
        Build(settings).run()
    except (OSError, RuntimeError, ValueError) as error:
        print(f"{error}", file=sys.stderr)
        return 1
    print(f"the model is in {given.work / 'out'}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="toolsearch_model", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="build a model, or go on with one")
    build.add_argument(
        "--work", type=Path, required=True, metavar="DIR", help="folder for all files"
    )
    build.add_argument(
        "--packages", type=Path, metavar="FILE", help="list of packages to learn from"
    )
    build.add_argument("--exclude", type=_folder, metavar="DIR", help="evaluation sets, kept out")
    build.add_argument("--summaries", type=Path, metavar="FILE", help="lines of name, tab, summary")
    build.add_argument("--start", type=Path, metavar="FILE", help="model.bin to go on from")
    build.add_argument("--steps", type=int, default=24_000, help="steps of training (%(default)s)")
    build.add_argument("--seed", type=int, default=1, help="seed of training (%(default)s)")
    build.add_argument("--dimensions", type=int, default=320, help="of each vector (%(default)s)")
    build.add_argument("--pieces", type=int, help="pieces of XLM-R in the vocabulary (70000)")
    build.add_argument("--words", type=int, help="whole words in the vocabulary (54000)")
    return parser


def _folder(text: str) -> Path:
    """A folder that isn't there would exclude nothing, silently."""
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"`{text}` isn't a folder")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
