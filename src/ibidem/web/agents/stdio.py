"""MCP over standard input and output: each line is a message, and every request is answered."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

from ibidem.web.agents.tools import Agents


def serve_stdio(agents: Agents, threads: int) -> None:
    """Answer the messages on standard input, so many at once, until it ends.

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
            _serve(agents, requests, answers, threads)
        finally:
            os.dup2(requests.fileno(), 0)
            os.dup2(answers.fileno(), 1)


def _serve(agents: Agents, requests: BinaryIO, answers: BinaryIO, threads: int) -> None:
    lock = threading.Lock()

    def answer(line: bytes) -> None:
        if (said := agents.answer(line)) is not None:
            with lock:
                answers.write(said + b"\n")
                answers.flush()

    with ThreadPoolExecutor(threads, "ibidem-messages") as pool:
        for line in requests:
            if line.strip():
                pool.submit(answer, line)
