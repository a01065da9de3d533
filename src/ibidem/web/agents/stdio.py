"""MCP over standard input and output: each line is a message, and every request is answered."""

import os
import sys
from collections.abc import AsyncIterator
from typing import Any, BinaryIO

import anyio
from anyio import to_thread
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

from ibidem.web.agents.messages import INVALID_REQUEST, read_message, refuse_message


def serve_stdio(server: MCPServer[Any], most: int) -> None:
    """Answer the messages on standard input, of at most ``most`` bytes each, until it ends.

    Output of other code meanwhile goes to standard error.
    """
    sys.stdout.flush()
    with (
        os.fdopen(os.dup(0), "rb") as requests,
        os.fdopen(os.dup(1), "wb") as answers,
        open(os.devnull, "rb") as nothing,
    ):
        os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        try:
            anyio.run(_serve, server, requests, answers, most)
        finally:
            os.dup2(requests.fileno(), 0)
            os.dup2(answers.fileno(), 1)


async def _serve(server: MCPServer[Any], requests: BinaryIO, answers: BinaryIO, most: int) -> None:
    answer_stream: Any = _Answers(answers)
    read: Any = _read_messages(requests, answer_stream, most)
    async with stdio_server(read, answer_stream) as streams:
        inner: Any = server._lowlevel_server  # which alone takes other streams than those of the process
        await inner.run(*streams, inner.create_initialization_options())


class _Answers:
    """Standard output, to which two tasks write a line each at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock = stream, anyio.Lock()

    async def write(self, line: str) -> None:
        async with self._lock:
            await to_thread.run_sync(self._write, line)

    async def flush(self) -> None:
        """Each line is flushed when it is written."""

    def _write(self, line: str) -> None:
        self._stream.write(line.encode())
        self._stream.flush()


async def _read_messages(requests: BinaryIO, answers: _Answers, most: int) -> AsyncIterator[str]:
    """The messages that can be worked on; to others the answer is written here."""
    while line := await to_thread.run_sync(_read_line, requests, most):
        if len(line) > most:
            message = refuse_message(INVALID_REQUEST, f"the message has more than {most:,} bytes")
        else:
            message = read_message(line.decode("utf-8", "replace"))
        if message.text and not _is_known(message.text):
            message = refuse_message(INVALID_REQUEST, "this is no message of MCP")
        if message.refusal is not None and line.strip():
            await answers.write(f"{message.refusal}\n")
        elif message.text:
            yield message.text


def _read_line(stream: BinaryIO, most: int) -> bytes:
    """The next line; of one that is longer than ``most``, one byte more."""
    line = part = stream.readline(most + 1)
    while len(line) > most and part and not part.endswith(b"\n"):
        part = stream.readline(most)
    return line


def _is_known(text: str) -> bool:
    """Whether the package takes the message, which passes over others without a word."""
    try:
        jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        return False
    return True
