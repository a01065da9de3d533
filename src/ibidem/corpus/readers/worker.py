"""The process in which files are read: ``python -m ibidem.corpus.readers.worker``.

It takes one request after another from its standard input and answers each with documents, then a last word. Requests
and answers are msgpack, each after its length in four bytes.
"""

import os
import resource
import signal
import struct
import sys
from collections.abc import Iterator
from typing import IO, Any

import msgspec

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.registry import describe_passed_over, find_kind

__all__ = ["LENGTH", "Answer", "Request", "serve"]

LENGTH = struct.Struct("<I")


class Request(msgspec.Struct, array_like=True):
    """A file to be read: its path, the name that tells its kind, and bounds."""

    path: str
    name: str
    encoding: str | None
    largest: int
    seconds: int


class Answer(msgspec.Struct, array_like=True):
    """A document, or the last word on a file: ``"done"``, ``"no text"``, ``"unreadable"``, ``"missing"``.

    The message of ``"done"`` names the files in an archive that hold no text, if there are any.
    """

    word: str
    message: str = ""
    document: ReadDocument | None = None


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until there are no more."""
    decode = msgspec.msgpack.Decoder(Request).decode
    encode = msgspec.msgpack.Encoder().encode
    while size := requests.read(LENGTH.size):
        request = decode(requests.read(LENGTH.unpack(size)[0]))
        for answer in _answer(request):
            data = encode(answer)
            answers.write(LENGTH.pack(len(data)) + data)
            answers.flush()


def _answer(request: Request) -> Iterator[Answer]:
    """The documents of a file, then a last word; the process ends if that takes too long."""
    try:
        signal.alarm(request.seconds)
        passed_over: list[str] = []
        number = 0
        for document in _read(request, passed_over):
            number += 1
            yield Answer("document", document=document)
            signal.alarm(request.seconds)
        message = describe_passed_over(passed_over) if passed_over else ""
        yield Answer("done" if number or not message else "no text", message)
    except ModuleNotFoundError as error:
        yield Answer("missing", str(error.name))
    except NoTextError as error:
        yield Answer("no text", str(error))
    except UnreadableError as error:
        yield Answer("unreadable", str(error))
    except MemoryError:
        yield Answer("unreadable", "reading it takes more memory than a file may take")
    except RecursionError:
        yield Answer("unreadable", "it nests too deeply")
    except Exception as error:  # a library met what its authors did not expect
        yield Answer("unreadable", f"damaged or of an unknown kind ({type(error).__name__}: {error})")
    finally:
        signal.alarm(0)


def _read(request: Request, passed_over: list[str]) -> Iterator[ReadDocument]:
    with open(request.path, "rb") as stream:
        head = stream.read(4096)
        stream.seek(0)
        kind = find_kind(request.name, head)
        opened = Opened(stream, request.name, request.encoding, request.largest, passed_over=passed_over)
        yield from kind.read(opened)


def _main(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    answers: Any = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # what a library prints is no answer
    os.dup2(quiet, 2)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
