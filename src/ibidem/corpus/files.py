"""Files that hold prose: text in UTF-8 as it is, all other kinds through their readers.

The id of a document is the path of its file; in an archive, the path and the name within it. Everything that a reader
knows of a document besides its text becomes metadata, the places in it under ``locators``: rows of start, end, label,
kind, and a pointer into the original if there is one.
"""

import atexit
import io
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import compression_of, open_stream, read_whole, remove_mark, until_fault
from ibidem.corpus.readers.document import NoTextError, ReadDocument, Span, UnreadableError
from ibidem.corpus.readers.encodings import looks_binary
from ibidem.corpus.readers.form_feeds import find_pages
from ibidem.corpus.readers.page_files import join_pages
from ibidem.corpus.readers.registry import KINDS, Kind, find_kind
from ibidem.corpus.rows import Columns, Row, batch_rows
from ibidem.corpus.sources import Source
from ibidem.errors import MissingExtraError

if TYPE_CHECKING:
    from ibidem.corpus.readers.isolation import IsolatedReader
    from ibidem.text import Documents

_HEAD = 4096
_BUFFER_BYTES = 1 << 20


def read(source: Source, columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    """The documents of a file of any kind: one, or those in an archive.

    Raises:
        CorpusError: it cannot be read, or holds no text.
        MissingExtraError: it needs a library that is not installed.
    """
    return batch_rows(until_fault(source, _read_rows(source, columns)), batch_bytes)


def _read_rows(source: Source, columns: Columns) -> Iterator[Row]:
    if source.pages:
        yield _make_row(source, _read_folder(source, columns), is_guess=columns.encoding is None)
        return
    with open_stream(source) as raw_stream:
        stream, kind, head = _look_at(source, raw_stream)
        content = None
        if kind is KINDS["text"] and columns.encoding is None and not looks_binary(head):
            content = read_whole(source, stream, columns.max_line)
            if _is_utf8(content):
                text = remove_mark(content)
                yield Row(source.name, text, _describe_places(find_pages(text)))
                return
        with _on_disk(source, stream, content) as path:
            yield from _read_other(source, columns, path)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read_folder(source: Source, columns: Columns) -> ReadDocument:
    """The document whose pages are the files of a folder."""
    documents = []
    for page in source.pages:
        with open_stream(page) as raw_stream:
            stream, _, _ = _look_at(page, raw_stream)
            with _on_disk(page, stream, None) as path, _name_errors(page), _borrow_reader() as reader:
                try:
                    read = list(reader.read(path, _name_of(page), columns.encoding, columns.max_line))
                except NoTextError:
                    read = []  # an empty page
        name = PurePath(page.path).name
        documents += [(name, document) for document in read]
    if not documents:
        raise fault(source.path, "none of its pages holds text")
    return join_pages(documents)


def kind_of(source: Source) -> Kind:
    """The kind of a file of prose, or of an archive.

    Raises:
        CorpusError: it cannot be read, or holds no text.
    """
    with open_stream(source._replace(progress=None)) as stream:
        return _look_at(source, stream)[1]


def _look_at(source: Source, raw_stream: BinaryIO) -> tuple[io.BufferedReader, Kind, bytes]:
    """The stream of a source, still at its begin, the kind of the file, and its first bytes."""
    stream: Any = raw_stream if isinstance(raw_stream, io.BufferedReader) else io.BufferedReader(cast(Any, raw_stream))
    head = stream.peek(_HEAD)[:_HEAD]
    try:
        return stream, find_kind(_name_of(source), head), head
    except NoTextError as error:
        raise fault(source.path, error) from error


def _name_of(source: Source) -> str:
    """Return the name that shows the kind of the file, without the suffix of a compression."""
    return os.path.splitext(source.path)[0] if compression_of(source.path) else source.path


def _read_other(source: Source, columns: Columns, path: str) -> Iterator[Row]:
    """Read the documents of a file that is not text in UTF-8, whose bytes are at ``path``."""
    row = 0

    def leave_out(error: UnreadableError) -> None:
        nonlocal row
        if source.failures is None or not source.skips:
            raise error
        source.failures.add(source, fault(source.path, error), row)
        row += 1

    with _name_errors(source), _borrow_reader() as reader:
        for document in reader.read(path, _name_of(source), columns.encoding, columns.max_line, leave_out):
            yield _make_row(source, document, is_guess=columns.encoding is None)
            row += 1


@contextmanager
def _name_errors(source: Source) -> Iterator[None]:
    try:
        yield
    except UnreadableError as error:
        raise fault(source.path, error) from error
    except MissingExtraError as error:
        raise MissingExtraError(f"reading {source.path}", "files") from error


def _make_row(source: Source, document: ReadDocument, *, is_guess: bool) -> Row:
    from ibidem.text.json_values import encode_json

    id = f"{source.name}/{document.member}" if document.member else source.name
    metadata = dict(document.metadata)
    if "encoding" in metadata and is_guess:
        cause = f"read as {metadata['encoding']}; if that is wrong, name the encoding (encoding, --encoding)"
        warnings.warn(f"{id}: {cause}", stacklevel=2)
    if document.spans:
        metadata["locators"] = _list_places(document.spans)
    return Row(id, document.text.encode("utf-8", "surrogatepass"), encode_json(metadata))


def _describe_places(spans: list[Span]) -> bytes:
    from ibidem.text.json_values import encode_json

    return encode_json({"locators": _list_places(spans)}) if spans else b"{}"


def _list_places(spans: list[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.label, span.kind, *([span.target] if span.target else [])] for span in spans]


@contextmanager
def _on_disk(source: Source, stream: IO[bytes], content: bytes | None) -> Iterator[str]:
    """The path of a file that holds the bytes of a source: the source itself, or a copy.

    ``content`` has the bytes if they were read from the stream already.
    """
    if os.path.isfile(source.path) and not compression_of(source.path):
        yield source.path
        return
    with tempfile.NamedTemporaryFile(prefix="ibidem-") as copy:
        if content is None:
            shutil.copyfileobj(stream, copy, _BUFFER_BYTES)
        else:
            copy.write(content)
        copy.flush()
        yield copy.name


_idle: list["IsolatedReader"] = []


@contextmanager
def _borrow_reader() -> Iterator["IsolatedReader"]:
    """A process that reads files, for one file at a time; it is kept for the next one."""
    from ibidem.corpus.readers.isolation import IsolatedReader

    try:
        reader = _idle.pop()
    except IndexError:
        reader = IsolatedReader()
    try:
        yield reader
    finally:
        _idle.append(reader)


def _close_idle() -> None:
    while _idle:
        _idle.pop().close()


atexit.register(_close_idle)
os.register_at_fork(after_in_child=_idle.clear)  # the processes are those of the parent
