"""The files of a result that are those of the input with rows left out or changed, written part by part."""

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from ibidem.corpus.inputs import InputPart
from ibidem.corpus.opening import compression_of
from ibidem.corpus.writing.output_file import create_file
from ibidem.corpus.writing.output_folder import names_below
from ibidem.errors import CorpusError
from ibidem.system import disk


def place_files(part: InputPart, folder: Path) -> list[Path]:
    """A place for each file of a part, in a folder of its own: pieces of one file have one name."""
    names = (os.path.basename(source.path) for source in part.sources)
    return [folder / str(number) / name for number, name in enumerate(names, part.first)]


def join_files(parts: Sequence[InputPart], folders: Iterable[Path], target: Path) -> None:
    """Give each file that was placed in the folder of its part its name below ``target``; pieces are joined.

    A file may be missing, of which nothing is left, or have more in its name, as the text of a PDF has.

    Raises:
        CorpusError: two files have one name.
    """
    names = names_below([source for part in parts for source in part.sources])
    for part, folder in zip(parts, folders, strict=True):
        for number, source in enumerate(part.sources, part.first):
            written = folder / str(number)
            for made in sorted(written.iterdir()) if written.exists() else ():
                place = target / Path(names[number]).with_name(made.name)
                place.parent.mkdir(parents=True, exist_ok=True)
                if source.piece is not None:
                    append_file(made, place)
                elif made.is_dir() and not place.exists():
                    link_tree(made, place)
                elif place.exists():
                    raise CorpusError(f"{place.name}: two inputs have this name when they are written: rename one")
                else:
                    disk.link(made, place)


def join_lists(lists: Sequence[Path], target: Path) -> None:
    """Make one file of those that the tasks of all parts have made, compressed as its name says."""
    compression = compression_of(target.name)
    if len(lists) == 1 and compression is None:
        disk.link(lists[0], target)
        return
    with create_file(target, compression) as out:
        for each in lists:
            with each.open("rb") as piece:
                shutil.copyfileobj(piece, out, 1 << 20)


def append_file(source: Path, target: Path) -> None:
    """Write what a file holds behind what another one holds, which is made if there is none."""
    with source.open("rb") as piece, target.open("ab") as out:
        shutil.copyfileobj(piece, out)


def link_tree(source: Path, target: Path) -> None:
    """Put every file of one folder into another, under the same name, by a link where the file system can."""
    for folder, _, files in os.walk(source):
        place = target / os.path.relpath(folder, source)
        place.mkdir(parents=True, exist_ok=True)
        for name in files:
            disk.link(Path(folder, name), place / name)
