"""The files of a folder that are documents or hold some, in sorted order.

Programs leave more in a folder than that: hidden files, markers, descriptions of the tables beside them. These are
passed over and counted, with one warning that names some. What cannot be read, such as a broken link, is a fault, or is
left out and listed if a call asks for that.
"""

import os
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import NamedTuple

from ibidem.corpus.compression import COMPRESSIONS
from ibidem.corpus.failures import Failures, leave_out
from ibidem.corpus.faults import fault, system_cause
from ibidem.corpus.readers.registry import HEAD, NOT_TEXT, describe_passed_over, find_no_text
from ibidem.corpus.sources import Source
from ibidem.counts import format_count
from ibidem.errors import CorpusError, IbidemError, StoreError
from ibidem.remote.storage import list_files

TABLES = (".jsonl", ".ndjson", ".json", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".csv", ".tsv", ".tab")
"""Suffixes of files whose rows are documents: they are tables whatever their bytes look like."""

_PACKED_TABLES = tuple(table + suffix for table in TABLES for suffix in ("", *COMPRESSIONS))

_OF_TABLES = (
    *("README*", "LICEN[CS]E*", "COPYING*", "NOTICE*", "CITATION*", "CHANGELOG*", "CONTRIBUTING*", "DATASHEET*"),
    *("dataset_info*.json", "dataset_dict.json", "croissant*.json", "manifest.json", "cache-*.arrow"),
    *("*.md5", "*.sha1", "*.sha256", "*.sha512", "MD5SUM*", "SHA1SUM*", "SHA256SUM*", "SHA512SUM*", "checksums*.txt"),
    *("*.lock", "*.incomplete", "*.crc", "*.yaml", "*.yml", "*.log"),
)
"""Files that describe the tables beside them; where there are no tables, they may be what is to be read."""

_STATE = "state.json"
"""What ``datasets`` writes beside the files of a data set."""

_LOOKED_AT = 1 << 24
"""Bytes of a file of JSON that are looked at, to see whether it holds records."""

_OF_JOBS = {"_temporary", "_delta_log", "_spark_metadata", "__MACOSX"}
"""Folders in which programs keep what they have to remember."""


class FileChoice(NamedTuple):
    """Which files of folders are read, here and at URLs; a file that is named by itself always is.

    A pattern such as ``*.txt`` or ``letters/*`` is that of the name of a file, or of its path below the folder.

    Attributes:
        include: patterns of which one must fit, if there are any; such a file is read although it describes tables.
        exclude: patterns of which none may fit.
        pages: whether the files of a folder that are neither tables nor archives are the pages of one document.
        text: the column of the texts; beside other files, a JSON object without it holds settings.
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    pages: bool = False
    text: str = "text"

    def is_wanted(self, name: str) -> bool:
        """Whether to read a file of this path below the folder."""
        return (not self.include or _fits(name, self.include)) and not _fits(name, self.exclude)

    def explain(self) -> str:
        """Why a folder may be empty."""
        if self.include or self.exclude:
            return "that --include and --exclude admit"
        return "(hidden ones and indexes are skipped)"


def _fits(name: str, patterns: Sequence[str]) -> bool:
    base = PurePosixPath(name).name
    return any(fnmatchcase(name, pattern) or fnmatchcase(base, pattern) for pattern in patterns)


def list_folder(folder: str, failures: Failures | None, choice: FileChoice, passed_over: Counter[str]) -> list[Source]:
    """The files below a folder, whose names are their paths from there.

    Args:
        failures: learns what cannot be read; without them that is an error.
        passed_over: learns how many files are no documents, by what they are.

    Raises:
        CorpusError: there is none.
    """
    known = 0 if failures is None else len(failures)
    files = [file for file in _walk(folder, "", frozenset(), failures) if choice.is_wanted(file.name)]
    if not files and failures is not None and len(failures) > known:
        return []
    if not files:
        raise fault(folder, f"the folder holds no files {choice.explain()}")
    return _pass_over(folder, files, choice, passed_over)


def list_remote_folder(url: str, choice: FileChoice, passed_over: Counter[str]) -> list[Source]:
    """The files of a folder at a URL, or of a glob; of any other URL, the file itself.

    Raises:
        CorpusError: there is none, or the store does not answer.
    """
    try:
        found = list_files(url, f"reading {url.partition('://')[0]} paths")
    except StoreError as error:
        raise CorpusError(str(error)) from error
    except IbidemError:
        raise
    except Exception as error:  # each kind of store has its own
        raise fault(url, f"cannot be looked at: {error or type(error).__name__}") from error
    if found is None:
        return [Source(url, url)]
    files = [Source(path, name) for path, name in found if choice.is_wanted(name) and not _is_of_job(name)]
    if not files:
        raise fault(url, f"there is no file {choice.explain()}; check the address")
    return _pass_over(url, files, choice, passed_over)


def _is_of_job(name: str) -> bool:
    return not _OF_JOBS.isdisjoint(PurePosixPath(name).parts[:-1])


def _walk(folder: str, prefix: str, ancestors: frozenset[str], failures: Failures | None) -> Iterator[Source]:
    """The files under a folder; a link back to a folder that is being walked is not followed."""
    from ibidem.store.manifest import is_index

    real = os.path.realpath(folder)
    if real in ancestors:
        return
    visible: list[os.DirEntry[str]] = []
    with _leave_out(folder, failures), os.scandir(folder) as entries:
        visible = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name)
    for entry in visible:
        kind = ""
        with _leave_out(entry.path, failures):
            kind = _find_kind(entry)
        if kind == "folder" and is_index(entry.path):
            warnings.warn(f"{entry.path}: an index, not documents: it is passed over", stacklevel=2)
        elif kind == "folder" and entry.name not in _OF_JOBS:
            yield from _walk(entry.path, f"{prefix}{entry.name}/", ancestors | {real}, failures)
        elif kind == "file":
            yield Source(entry.path, prefix + entry.name)


@contextmanager
def _leave_out(path: str, failures: Failures | None) -> Iterator[None]:
    """Note that a path cannot be read, if this turns out, and end the block; without ``failures`` it is an error."""
    try:
        path.encode()
        shown = path
    except UnicodeEncodeError:
        shown = ascii(path)
    with leave_out(Source(shown, shown, failures=failures)):
        try:
            yield
        except OSError as error:
            raise fault(shown, f"cannot be read: {system_cause(error)}") from error


def _find_kind(entry: "os.DirEntry[str]") -> str:
    if entry.is_dir():
        return "folder"
    if entry.is_file():
        return "file"
    raise fault(entry.path, "neither a file nor a folder, but a broken link, a socket or a pipe; move it away")


def _pass_over(folder: str, files: list[Source], choice: FileChoice, passed_over: Counter[str]) -> list[Source]:
    """The files of a folder that may be documents; one warning names the others, which are counted by their kind."""
    tables = {_folder_of(file.name) for file in files if _is_table(file.name) and not is_description(file.name)}
    may_be_settings = not choice.include and not all(_is_json(each.name) or is_description(each.name) for each in files)
    causes = [_explain(file, choice, tables, may_be_settings) for file in files]
    others = [(file, cause) for file, cause in zip(files, causes, strict=True) if cause]
    if len(others) == len(files):
        name, cause = others[0][0].name, others[0][1]
        raise fault(
            folder, f"the folder holds no text, but {format_count(len(files), 'other file')}, such as {name}: {cause}"
        )
    if others:
        passed_over.update(cause.removesuffix(NOT_TEXT) for _, cause in others)
        description = describe_passed_over([f"{file.name} ({cause})" for file, cause in others])
        warnings.warn(f"{folder}: {description}", stacklevel=2)
    return [file for file, cause in zip(files, causes, strict=True) if not cause]


def _explain(file: Source, choice: FileChoice, tables: set[PurePosixPath], may_be_settings: bool) -> str:
    """Why a file is no document, by its name, its bytes and the folders of ``tables``; empty if it may be one."""
    if not choice.include and is_description(file.name) and _is_beside(file.name, tables):
        return "about the tables beside it"
    if may_be_settings and _is_json(file.name) and _holds_settings(file.path, choice.text):
        return f"JSON that is no records with a column {choice.text!r}"
    head = b""
    if not _is_table(file.name) and not file.name.lower().endswith(tuple(COMPRESSIONS)):
        try:
            with open(file.path, "rb") as stream:
                head = stream.read(HEAD)
        except OSError:
            pass  # reading says what is wrong with it; at a URL, the name alone is looked at
    return find_no_text(file.name, head)


def _is_json(name: str) -> bool:
    return name.lower().endswith(".json")


def _holds_settings(path: str, text: str) -> bool:
    """Whether a file is one JSON value that is no record with a column ``text``, and no array of records."""
    import msgspec

    try:
        with open(path, "rb") as stream:
            value = msgspec.json.decode(stream.read(_LOOKED_AT))
    except (OSError, msgspec.DecodeError, RecursionError):
        return False  # reading says what is wrong with it
    if isinstance(value, list):
        return bool(value) and not any(isinstance(each, dict) for each in value)
    return not isinstance(value, dict) or text not in value


def _is_table(name: str) -> bool:
    return name.lower().endswith(_PACKED_TABLES)


def is_description(name: str) -> bool:
    """Whether a file of this name is about the tables beside it."""
    return _fits(name, _OF_TABLES) or PurePosixPath(name).name == _STATE


def _folder_of(name: str) -> PurePosixPath:
    return PurePosixPath(name).parent


def _is_beside(name: str, tables: set[PurePosixPath]) -> bool:
    """Whether a table lies in the folder of a file, or below it."""
    folder = _folder_of(name)
    return any(folder == table or folder in table.parents for table in tables)
