"""Reads files in processes of their own, whose time and memory are bounded.

Parsers of rich formats are large, and files come from anywhere: one may be damaged, or made to take all memory or all
time. Such a file ends its process, and is an error that names it.
"""

import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress

import msgspec

from ibidem.corpus.readers.document import NoTextError, ReadDocument, UnreadableError
from ibidem.corpus.readers.worker import EVENTS, LENGTH, Answer, Request
from ibidem.errors import MissingExtraError
from ibidem.resources import Closing
from ibidem.system.bounds import memory_limit, ran_out_of_time

MEMORY = 2 << 30
"""Bytes of address space that the process may have."""

SECONDS = 60
"""Seconds that one document may take."""

LeaveOut = Callable[[UnreadableError], None]
"""Receives the error of a file in an archive."""

_MOST_ENDED = 10
"""Files of an archive that may end a process each; at the next one the rest of the archive is left out."""

_GRACE = 5
_PIPE_BYTES = 1 << 16


def environment() -> dict[str, str]:
    """The variables of a process that finds modules where this one finds them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class _EndedError(UnreadableError):
    """The process ended, or did not answer in time."""


class IsolatedReader(Closing):
    """A process that reads files; started at the first file, and anew after one that it did not survive."""

    def __init__(self, *, memory: int = MEMORY, seconds: int = SECONDS) -> None:
        self._memory, self._seconds = memory, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._is_late = False
        self._decode = msgspec.msgpack.Decoder(Answer).decode

    def read(
        self, path: str, name: str, encoding: str | None, largest: int, leave_out: LeaveOut | None = None
    ) -> Iterator[ReadDocument]:
        """Read the documents of the file at ``path``, whose ``name`` shows its kind.

        ``leave_out`` receives the errors of files in an archive that cannot be read; without it, the first one raises.

        Raises:
            NoTextError: it holds no text.
            UnreadableError: it cannot be read, or not within the bounds.
            MissingExtraError: the library that reads this kind is not installed.
        """
        # The process may have been started in another folder.
        request = Request(os.path.abspath(path), name, encoding, largest, self._seconds)
        last_number, last_begin = -1, Answer("begin")
        while True:
            try:
                for answer in self._exchange(request):
                    if answer.word == "begin":
                        last_begin = answer
                    elif answer.number > last_number and answer.document is not None:
                        yield answer.document
                    elif answer.number > last_number:
                        _report(answer, answer.message, leave_out)
                break
            except _EndedError as error:
                if not last_begin.number:
                    raise
                if len(request.ended) == _MOST_ENDED:
                    cause = f"{error} (as {_MOST_ENDED} files in it did before)"
                    raise UnreadableError(f"{last_begin.member}: {cause}") from error
                _report(last_begin, str(error), leave_out)
                request.ended.append(last_begin.number)
                last_number = max(request.ended)

    def _exchange(self, request: Request) -> Iterator[Answer]:
        """Send a request, and yield the answers up to the last word; raise the error that this word names."""
        process = self._start()
        is_finished = False
        try:
            self._ask(process, request)
            while (answer := self._receive(process)).word in EVENTS:
                yield answer
            is_finished = True
        finally:
            if not is_finished:
                self.close()  # it may still be sending
        _raise_for(answer)
        if answer.message:
            warnings.warn(f"{request.path}: {answer.message}", stacklevel=2)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        process.wait()

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ibidem.corpus.readers.worker", str(self._memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
            )
        return self._process

    def _ask(self, process: "subprocess.Popen[bytes]", request: Request) -> None:
        assert process.stdin is not None
        data = msgspec.msgpack.encode(request)
        try:
            process.stdin.write(LENGTH.pack(len(data)) + data)
            process.stdin.flush()
        except OSError as error:
            raise self._failed() from error

    def _receive(self, process: "subprocess.Popen[bytes]") -> Answer:
        self._is_late = False
        clock = threading.Timer(self._seconds + _GRACE, self._end_late, [process])
        clock.daemon = True  # an interrupt that comes while it starts leaves it running, and no exit waits for it
        clock.start()
        try:
            size = LENGTH.unpack(self._read_bytes(process, LENGTH.size))[0]
            return self._decode(self._read_bytes(process, size))
        finally:
            clock.cancel()

    def _end_late(self, process: "subprocess.Popen[bytes]") -> None:
        """End a process that did not answer in time, and with it what it writes to."""
        self._is_late = True
        process.kill()

    def _read_bytes(self, process: "subprocess.Popen[bytes]", size: int) -> bytes:
        assert process.stdout is not None
        pipe, data = process.stdout.fileno(), bytearray()
        while len(data) < size:
            if not (part := os.read(pipe, min(size - len(data), _PIPE_BYTES))):
                raise self._failed()
            data += part
        return bytes(data)

    def _failed(self) -> "_EndedError":
        """End the process. Returns the error for a file that its process did not survive, or not within its time."""
        exit_status = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):  # it has closed its pipes
                exit_status = self._process.wait(_GRACE)
        self.close()
        if self._is_late or ran_out_of_time(exit_status):
            return _EndedError(f"reading it takes more than {self._seconds} s")
        cause = "reading it ended its process: damaged, or it takes more memory than a file may take"
        limit = memory_limit()
        if limit is not None and limit < self._memory:
            cause = f"{cause}, which is {limit >> 20:,} MB here (ulimit -v): allow {self._memory >> 20:,} MB"
        return _EndedError(cause)


def _report(answer: Answer, cause: str, leave_out: LeaveOut | None) -> None:
    """Report a file of an archive that cannot be read, or raise its error."""
    error = UnreadableError(f"{answer.member}: {cause}")
    if leave_out is None:
        raise error
    leave_out(error)


def _raise_for(answer: Answer) -> None:
    """Raise the error that the last word on a file means, if it is one."""
    if answer.word == "no text":
        raise NoTextError(answer.message)
    if answer.word == "unreadable":
        raise UnreadableError(answer.message)
    if answer.word == "missing":
        raise MissingExtraError(f"reading files of this kind ({answer.message})", "files")
