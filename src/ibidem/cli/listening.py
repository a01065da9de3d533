"""Answering over HTTP, for ``ibidem serve`` and ``ibidem app``, and the options of services."""

import logging
import socket
from collections.abc import Callable
from threading import Event
from typing import Any

import click

from ibidem.errors import MissingExtraError

_MOST_CONNECTIONS = 200
"""Connections that are open at once; a request on one more is answered 503."""

_IDLE = 20
"""Seconds until a connection without a request is closed."""

most_seconds = click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="Most seconds for an answer.",
)

at_work = click.option(
    "--at-work", metavar="N", type=click.IntRange(1), default=4, show_default=True, help="Requests at a time."
)


def log_to_terminal() -> None:
    """Have everything that is logged in this process written to standard error, from warnings on."""
    logging.basicConfig(format="ibidem: %(levelname)s: %(message)s", level=logging.WARNING, force=True)


def listen(app: Any, host: str, port: int, tell: Callable[[str], None], *, stopping: Event | None = None) -> None:
    """Answer requests with an ASGI application until the process is asked to end; ``tell`` receives the address.

    The server ends when ``stopping`` is set, too.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error

    class Server(uvicorn.Server):
        async def on_tick(self, counter: int) -> bool:
            return (stopping is not None and stopping.is_set()) or await super().on_tick(counter)

    log_to_terminal()
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE,
        log_config=None,
        access_log=False,
        server_header=False,
    )
    with bind(host, port) as bound:
        tell(f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}")
        Server(config).run(sockets=[bound])


def bind(host: str, port: int) -> socket.socket:
    """Open a socket that listens, so that the printed address is answered at once.

    An answer is written as head and body. Without ``TCP_NODELAY`` the body would wait until the client has acknowledged
    the head, which it may put off for 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    bound.bind((host, port))
    bound.listen(_MOST_CONNECTIONS)
    return bound
