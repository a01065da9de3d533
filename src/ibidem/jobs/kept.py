"""The files that a plan writes again, one for each input: those of the parts become those of the result."""

import os
from collections.abc import Sequence
from pathlib import Path

from ibidem.corpus.writing.output_folder import names_below
from ibidem.errors import CorpusError
from ibidem.jobs.plan import Plan
from ibidem.jobs.result import append_file, link_file
from ibidem.jobs.shards import sources_of

__all__ = ["join_kept", "place_kept"]


def place_kept(plan: Plan, part: int, folder: Path) -> list[Path]:
    """The place of each file of a part, in a folder of its own: pieces of one file have one name."""
    first, end = plan.parts[part]
    return [folder / str(number) / os.path.basename(plan.shards[number].path) for number in range(first, end)]


def join_kept(plan: Plan, folders: Sequence[Path], target: Path) -> None:
    """Give each file that was placed in the folder of its part its name below ``target``; pieces are joined.

    A file may be missing, of which nothing is left, or have more in its name, as the text of a PDF has.

    Raises:
        CorpusError: two files have one name.
    """
    names = names_below(sources_of(plan.shards))
    for part, folder in enumerate(folders):
        for number in range(*plan.parts[part]):
            written = folder / str(number)
            for made in sorted(written.iterdir()) if written.exists() else ():
                place = target / Path(names[number]).with_name(made.name)
                place.parent.mkdir(parents=True, exist_ok=True)
                if plan.shards[number].piece is not None:
                    append_file(made, place)
                elif place.exists():
                    raise CorpusError(f"{place.name}: two inputs have this name when they are written: rename one")
                else:
                    link_file(made, place)
