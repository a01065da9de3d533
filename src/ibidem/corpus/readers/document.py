"""The values that readers take and return."""

from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple, Protocol

_PART_BYTES = 1 << 20


class UnreadableError(Exception):
    """The file is damaged, or not what its name says; the message says how."""


class NoTextError(UnreadableError):
    """The file holds no text: an image, a program, a scan without recognised text."""


class BombError(UnreadableError):
    """The archive unpacks to more than such a file needs."""


class Allowance:
    """How many bytes the files of an archive, and of archives in it, may have together.

    Attributes:
        left: those that remain.
    """

    def __init__(self, most: int) -> None:
        self.left = self._most = most

    def take(self, size: int) -> None:
        """Count the bytes of a file.

        Raises:
            BombError: there are too many.
        """
        self.left -= size
        if self.left < 0:
            raise BombError(f"more than {self._most:,} bytes are packed into it: refused as a bomb; unpack it")


class Span(NamedTuple):
    """A stretch of a text that has a name in the original, such as a page, a line or a verse.

    Attributes:
        kind: ``"page"``, ``"line"``, ``"section"``, ``"verse"``, ``"folio"`` or another unit.
        label: its name or number there, such as ``"12r"``.
        start, end: where it lies in the text, in code points.
        target: a pointer to the element of the original: its ``xml:id``, or a box ``xywh=...``; empty if it has none.
    """

    kind: str
    label: str
    start: int
    end: int
    target: str = ""


class ReadDocument(NamedTuple):
    """A document as a reader returns it.

    Attributes:
        text: what a person would read.
        metadata: what the file says of it, such as ``title`` and ``author``; values that JSON can hold.
        spans: its places, in the order of their starts.
        member: its name within a file that holds several documents; empty if the file is one document.
        divided: the word that the text ends with whole, although its rest is on the next page, as the file says.
        rest: the rest of such a word, with which the text begins.
        rest_of: that word, if the file says it.
    """

    text: str
    metadata: dict[str, Any]
    spans: list[Span]
    member: str = ""
    divided: str = ""
    rest: str = ""
    rest_of: str = ""


def read_bounded(stream: IO[bytes], most: int) -> bytes:
    """Returns all bytes of a stream.

    Raises:
        UnreadableError: there are more than ``most``.
    """
    data = bytearray()
    while part := stream.read(_PART_BYTES):  # a read of as many as may come would allocate as many
        data += part
        if len(data) > most:
            raise UnreadableError(f"a document of more than {most:,} bytes; allow longer ones (--max-line)")
    return bytes(data)


def explain_failure(error: Exception) -> UnreadableError:
    """Return the error to report for a file on which a reader raised this one."""
    if isinstance(error, UnreadableError):
        return error
    if isinstance(error, MemoryError):
        return UnreadableError("reading it takes more memory than a file may take")
    if isinstance(error, RecursionError):
        return UnreadableError("it nests too deeply")
    return UnreadableError(f"damaged or of an unknown kind ({type(error).__name__}: {error})")


class Members(Protocol):
    """Receives the names of the files in an archive that yield no document, and of the one that is being read."""

    def begin(self, name: str) -> bool:
        """Note that the reading of a file begins. Returns whether to read it."""

    def pass_over(self, name: str, cause: str) -> None:
        """Note a file that holds no text, such as a picture."""

    def leave_out(self, name: str, error: UnreadableError) -> None:
        """Note a file that cannot be read; the archive's other files are read."""


class Opened(NamedTuple):
    """A file to be read.

    Attributes:
        stream: its bytes; can seek.
        name: its name, for readers that look at suffixes.
        encoding: the encoding that the user named; ``None`` to find it out.
        largest: bytes that a document in it may have.
        depth: how many archives it lies in.
        members: receives the files of an archive that yield no document; without it, one that cannot be read raises.
        allowance: what is left of the bytes that the outermost archive may unpack to.
    """

    stream: IO[bytes]
    name: str
    encoding: str | None = None
    largest: int = 1 << 30
    depth: int = 0
    members: Members | None = None
    allowance: Allowance | None = None

    def read(self) -> bytes:
        """Returns all bytes of the file.

        Raises:
            UnreadableError: there are more than ``largest``.
        """
        return read_bounded(self.stream, self.largest)


Reader = Callable[[Opened], Iterator[ReadDocument]]
"""Reads the documents of a file, one after another."""
