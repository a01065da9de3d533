"""The process that reads the files of projects, each within bounds of time and memory.

If a file ends the process, whoever asked for it records what happened to this file, and starts another process.
"""

import csv
import io
import multiprocessing
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from ibidem.corpus.folders import TABLES
from ibidem.corpus.formats import read_source
from ibidem.corpus.readers.document import NoTextError, UnreadableError
from ibidem.corpus.readers.encodings import decode
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.errors import IbidemError
from ibidem.system.bounds import bound_memory, bound_time
from ibidem.text import Document, make_tokenizer
from ibidem.text.json_values import decode_json, encode_json, replace_surrogates
from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import MOST_BYTES, Project, ProjectFile, Reading, write_json
from ibidem.web.projects.unpacking import UNPACKING_FAILURES, Member, open_archive

SECONDS = 120
"""Seconds that one file may take."""

MEMORY = 6 << 30
"""Bytes of address space that the process may have."""

_PART = 1 << 20
_LONGEST_TABLE = 20_000_000
_SEPARATED = (".csv", ".tsv", ".tab")


def follow_server() -> None:
    """Leave this process behind the server in priority, and end it when the server ends, however that ends."""

    def follow() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    os.nice(5)
    threading.Thread(target=follow, daemon=True).start()


def read_items(requests: Connection) -> None:
    """Read each file that is asked for, a project's folder and an item, and answer when it was read."""
    follow_server()
    bound_memory(MEMORY)
    while True:
        folder, item = requests.recv()
        bound_time(SECONDS)
        read_item(Project(folder), item)
        bound_time(0)
        requests.send(None)


def read_item(project: Project, item: ProjectFile) -> None:
    """Read a file, and record what was read of it; a project that was removed meanwhile stays so."""
    reading = read_file(project, item)
    with suppress(FileNotFoundError):
        if reading.state == "metadata":
            project.put(replace(item, role="metadata"))
        write_json(project.reading_path(item.key, ".json"), reading)


def read_file(project: Project, item: ProjectFile) -> Reading:
    """Read a file: its documents go beside the reading, the files of an archive become items of the project."""
    path = project.content_path(item.content)
    try:
        if not item.size:
            return Reading("left out", "the file is empty")
        if not item.content.endswith(TABLES) and (archive := open_archive(path)):
            return _unpack(project, item, archive)
        if item.content.endswith(_SEPARATED) and (columns := _metadata_columns(path, item)):
            return Reading("metadata", columns=columns)
        return _read_texts(project, item)
    except (IbidemError, UnreadableError, ProblemError, OSError, ValueError) as error:
        return Reading("left out", _without_path(str(error), path))
    except MemoryError:
        return Reading("left out", "reading it takes more memory than a file may take")


def _unpack(project: Project, item: ProjectFile, archive: Iterator[Member]) -> Reading:
    """Make an item of each file in an archive. One that cannot be unpacked is listed with its reason."""
    count = 0
    role = item.role if item.is_given else None
    for member in archive:
        try:
            with member.open() as stream:
                project.add(member.name, iter(lambda: stream.read(_PART), b""), role)
        except UNPACKING_FAILURES as error:
            unreadable_file = project.add(member.name, [f"{item.content}/{member.name}".encode()], role)
            write_json(
                project.reading_path(unreadable_file.key, ".json"), Reading("left out", f"cannot be unpacked ({error})")
            )
        count += 1
    return Reading("unpacked", documents=count) if count else Reading("left out", "there are no files in it")


def _without_path(message: str, path: Path) -> str:
    """The message without the path under which the bytes of a file are stored."""
    return message.replace(str(path), "").lstrip(",: ")


def _read_texts(project: Project, item: ProjectFile) -> Reading:
    columns = Columns.of("text", "id", MOST_BYTES, item.encoding)
    source = Source(str(project.content_path(item.content)), "file")
    tokenizer = make_tokenizer("words")
    documents = words = characters = 0
    pages: int | None = None
    encoding = item.encoding
    aside = project.reading_path(item.key, ".jsonl.partial")
    with warnings.catch_warnings(), aside.open("wb") as out:
        warnings.simplefilter("ignore")  # the encoding that was found out is shown
        for batch in read_source(source, columns, 8 << 20):
            words += len(tokenizer.encode(batch.texts).ids)
            for id, text, raw in zip(batch.ids, batch.texts, batch.metadata, strict=True):
                metadata: dict[str, Any] = decode_json(raw)
                documents, characters = documents + 1, characters + len(text)
                pages = _count_pages(metadata) if pages is None else pages + (_count_pages(metadata) or 0)
                encoding = metadata.pop("encoding", encoding)
                row = {"id": replace_surrogates(id), "text": replace_surrogates(text), "metadata": metadata}
                out.write(encode_json(row) + b"\n")
    if not words:
        aside.unlink()
        return Reading("left out", "there are no words in it", documents, 0, characters, pages, encoding)
    aside.replace(project.reading_path(item.key, ".jsonl"))
    return Reading("read", "", documents, words, characters, pages, encoding)


def _count_pages(metadata: dict[str, Any]) -> int | None:
    """The pages of a document, if its reader knows them."""
    if isinstance(metadata.get("pages"), int):
        return int(metadata["pages"])
    return len([place for place in metadata.get("locators") or () if place[3:4] == ["page"]]) or None


class StoredDocument(NamedTuple):
    """A document of a file that was read; its text stays on the disk until somebody asks for it.

    Attributes:
        path, start, size: the line of the reading that has the text.
    """

    id: str
    metadata: dict[str, Any]
    path: Path
    start: int
    size: int

    @property
    def is_row(self) -> bool:
        """Whether the document is a row of a table, whose metadata are other columns of it."""
        return self.path.name.removesuffix(".jsonl").partition("@")[0].endswith(TABLES)

    @property
    def text(self) -> str:
        """The text."""
        with self.path.open("rb") as lines:
            lines.seek(self.start)
            text: str = decode_json(lines.read(self.size))["text"]
        return text

    def load(self) -> Document:
        """The document with its text."""
        return Document(self.id, self.text, self.metadata)


def read_documents(project: Project, item: ProjectFile) -> Iterator[StoredDocument]:
    """The documents of a file that was read."""
    path, start = project.reading_path(item.key, ".jsonl"), 0
    with path.open("rb") as lines:
        for line in lines:
            row = decode_json(line)
            yield StoredDocument(_name_document(item.name, row["id"]), row["metadata"], path, start, len(line))
            start += len(line)


def _name_document(name: str, id: str) -> str:
    """The id of a document in a project: the name of its file, and its own id if the file holds several."""
    if id == "file":
        return name
    inside = id[5:] if id.startswith(("file/", "file:")) else id
    return f"{name}/{inside}"


def read_table(path: Path, encoding: str | None) -> list[dict[str, str]]:
    """The rows of a table that describes files, under its header; the separator is the one that the header has most."""
    if path.stat().st_size > _LONGEST_TABLE:
        raise UnreadableError(f"a table of more than {_LONGEST_TABLE:,} bytes")
    text = decode(path.read_bytes(), encoding)[0].removeprefix("\ufeff")
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    return [{name: value for name, value in row.items() if name and value} for row in rows]


def _metadata_columns(path: Path, item: ProjectFile) -> list[str]:
    """The columns of a table without a column of texts; none if it has one, or is no such table."""
    try:
        rows = read_table(path, item.encoding)
    except (csv.Error, NoTextError, UnreadableError):
        return []
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return [] if "text" in columns else columns
