"""MCP over standard input and output: each line is a message, and every request is answered."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

from ibidem.text.json_values import encode_json
from ibidem.web.agents.messages import INVALID_REQUEST, read_message, refuse_message
from ibidem.web.agents.tools import Agents

_THREADS = 80
"""Messages that are answered at once, or wait for their turn."""


def serve_stdio(agents: Agents, most: int) -> None:
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
            _serve(agents, requests, answers, most)
        finally:
            os.dup2(requests.fileno(), 0)
            os.dup2(answers.fileno(), 1)


def _serve(agents: Agents, requests: BinaryIO, answers: BinaryIO, most: int) -> None:
    lock = threading.Lock()

    def write(line: bytes) -> None:
        with lock:
            answers.write(line + b"\n")
            answers.flush()

    def answer(message: dict[str, Any]) -> None:
        if (said := agents.answer(message)) is not None:
            write(encode_json(said))

    with ThreadPoolExecutor(_THREADS, "ibidem-messages") as pool:
        while line := _read_line(requests, most):
            if len(line) > most:
                message = refuse_message(INVALID_REQUEST, f"the message has more than {most:,} bytes")
            else:
                message = read_message(line.decode("utf-8", "replace"))
            if message.refusal is not None and line.strip():
                write(message.refusal.encode())
            elif message.value is not None:
                pool.submit(answer, message.value)


def _read_line(stream: BinaryIO, most: int) -> bytes:
    """The next line; of one that is longer than ``most``, one byte more."""
    line = part = stream.readline(most + 1)
    while len(line) > most and part and not part.endswith(b"\n"):
        part = stream.readline(most)
    return line
