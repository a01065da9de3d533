"""The process in which files are read: ``python -m ibidem.corpus.readers.worker``.

It takes one request after another from its standard input and answers each with documents, then a last word. Requests
and answers are msgpack, each after its length in four bytes.
"""

import os
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any

import msgspec

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError, explain_failure
from ibidem.corpus.readers.registry import HEAD, describe_passed_over, find_kind
from ibidem.system.bounds import bound_memory, bound_time

LENGTH = struct.Struct("<I")

EVENTS = ("document", "begin", "left out")
"""Words of answers after which more of the same file may come."""


class Request(msgspec.Struct, array_like=True):
    """A file to be read: its path, the name that shows its kind, and bounds.

    ``ended`` has the numbers of the files in an archive that are not read, since they ended a process before.
    """

    path: str
    name: str
    encoding: str | None
    largest: int
    seconds: int
    ended: list[int] = []


class Answer(msgspec.Struct, array_like=True):
    """One of ``EVENTS``, or the last word on a file: ``"done"``, ``"no text"``, ``"unreadable"``, ``"missing"``.

    In an archive, ``number`` counts the files from 1, and ``member`` names one: in ``"begin"``, sent before it is read,
    and in ``"left out"``, which has the cause. The message of ``"done"`` names those that hold no text.
    """

    word: str
    message: str = ""
    document: ReadDocument | None = None
    number: int = 0
    member: str = ""


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until there are no more."""
    decode = msgspec.msgpack.Decoder(Request).decode
    encode = msgspec.msgpack.Encoder().encode

    def send(answer: Answer) -> None:
        data = encode(answer)
        answers.write(LENGTH.pack(len(data)) + data)
        answers.flush()

    while size := requests.read(LENGTH.size):
        request = decode(requests.read(LENGTH.unpack(size)[0]))
        send(_answer(request, send))


class _SentMembers:
    """Sends what happens to the files of an archive."""

    def __init__(self, request: Request, send: Callable[[Answer], None]) -> None:
        self.number = self.left_out = 0
        self.passed_over: list[str] = []
        self._request, self._send = request, send

    def begin(self, name: str) -> bool:
        """Send the name of a file, which may take its own time. Returns whether to read it."""
        self.number += 1
        self._send(Answer("begin", number=self.number, member=name))
        bound_time(self._request.seconds)
        return self.number not in self._request.ended

    def pass_over(self, name: str, cause: str) -> None:
        """Note a file that holds no text."""
        self.passed_over.append(f"{name} ({cause})")

    def leave_out(self, name: str, error: UnreadableError) -> None:
        """Send why a file cannot be read."""
        self.left_out += 1
        self._send(Answer("left out", str(error), None, self.number, name))


def _answer(request: Request, send: Callable[[Answer], None]) -> Answer:
    """Send the documents of a file, and return the last word; the process ends if that takes too long."""
    members = _SentMembers(request, send)
    try:
        bound_time(request.seconds)
        documents = 0
        for document in _read(request, members):
            documents += 1
            send(Answer("document", "", document, members.number))
            bound_time(request.seconds)
        message = describe_passed_over(members.passed_over) if members.passed_over else ""
        is_all_passed_over = members.passed_over and not (documents or members.left_out or request.ended)
        return Answer("no text" if is_all_passed_over else "done", message)
    except ModuleNotFoundError as error:
        return Answer("missing", str(error.name))
    except Exception as error:  # also whatever a library meets that its authors did not expect
        cause = explain_failure(error)
        return Answer("no text" if isinstance(cause, NoTextError) else "unreadable", str(cause))
    finally:
        bound_time(0)


def _read(request: Request, members: _SentMembers) -> Iterator[ReadDocument]:
    with open(request.path, "rb") as stream:
        head = stream.read(HEAD)
        stream.seek(0)
        kind = find_kind(request.name, head)
        yield from kind.read(Opened(stream, request.name, request.encoding, request.largest, members=members))


def _main(memory: int) -> None:
    bound_memory(memory)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    answers: Any = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # what a library prints is no answer
    os.dup2(quiet, 2)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
