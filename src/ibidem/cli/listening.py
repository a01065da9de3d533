"""Answering over HTTP, for ``ibidem serve``, ``ibidem mcp`` and ``ibidem app``."""

import socket
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

import click

from ibidem.cli.log import log_to_terminal
from ibidem.cli.options import together
from ibidem.errors import MissingExtraError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")

allow_host = click.option(
    "--allow-host", "hosts", metavar="NAME", multiple=True, help="A name by which the service is called."
)

most_seconds = click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="Most seconds for an answer.",
)


def address(port: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options for the address of a service, ``port`` being the default, and for its token."""
    return together(
        click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Address to listen on."),
        click.option(
            "--port",
            metavar="N",
            type=click.IntRange(0, 65535),
            default=port,
            show_default=True,
            help="Port; 0: any free.",
        ),
        click.option(
            "--token", metavar="TOKEN", envvar="IBIDEM_TOKEN", help="Token that requests must bring.  [or IBIDEM_TOKEN]"
        ),
    )


def ask_for_token(host: str, token: str | None) -> None:
    """Raise a ``UsageError`` if other machines could call the service without a token."""
    if host not in _LOOPBACK and not token:
        raise click.UsageError(f"to answer on {host}, other machines too, the service needs a --token")


def listen(
    app: Any, host: str, port: int, tell: Callable[[str], None], *, idle: float = 20.0, stopping: Event | None = None
) -> None:
    """Answer requests with an ASGI application until the process is asked to end; ``tell`` receives the address.

    A connection that brings no request for ``idle`` seconds is closed. The server ends when ``stopping`` is set, too.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error
    from ibidem.web.connections import BACKLOG, Bounds, Connection, count_affordable

    class Server(uvicorn.Server):
        async def on_tick(self, counter: int) -> bool:
            return (stopping is not None and stopping.is_set()) or await super().on_tick(counter)

    log_to_terminal()
    config = uvicorn.Config(
        app,
        http=partial(Connection, Bounds(count_affordable(), idle)),  # type: ignore[arg-type]
        ws="none",
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        server_header=False,
    )
    with bind(host, port, BACKLOG) as bound:
        tell(f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}")
        Server(config).run(sockets=[bound])


def bind(host: str, port: int, backlog: int) -> socket.socket:
    """Open a socket that listens, so that the printed address is answered at once.

    An answer is written as head and body. Without ``TCP_NODELAY`` the body would wait until the client has acknowledged
    the head, which it may put off for 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    bound.bind((host, port))
    bound.listen(backlog)
    return bound
