"""Serve indexes over HTTP, with a page to search them.

The page stands at the address that is said at the start: a box for a passage or a whole document, results in context,
and each beside the text that was asked for. Programs use the same service; /openapi.json describes it.

The service answers on this machine alone. To be reached from another it needs a token, --host, and with --allow-host
each name by which it is called; put a proxy in front of it that speaks HTTPS. It only reads: documents are added by
ibidem add, which the service follows without a restart. Needs the extra serve: pip install 'ibidem[serve]'.

Examples:

    ibidem serve books.ibidem
    ibidem serve books.ibidem letters.ibidem --port 8080
"""

import click

from ibidem.cli.command import command
from ibidem.cli.terminal import tell
from ibidem.errors import MissingExtraError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, required=True, type=click.Path())
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free."
)
@click.option("--token", metavar="TOKEN", envvar="IBIDEM_TOKEN", help="What requests must bring.  [or IBIDEM_TOKEN]")
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True, help="A name by which the service is called.")
@click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="Most time.",
)
@click.option("--at-work", metavar="N", type=click.IntRange(1), default=4, show_default=True, help="Requests at once.")
def serve(
    *,
    indexes: tuple[str, ...],
    host: str,
    port: int,
    token: str | None,
    hosts: tuple[str, ...],
    seconds: float,
    at_work: int,
) -> None:
    """Serve the indexes until it is ended."""
    if host not in _LOOPBACK and not token:
        raise click.UsageError(f"to answer on {host}, other machines too, the service needs a --token")
    try:
        import uvicorn

        from ibidem.service.application import make_app
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error
    from ibidem.service import Limits, ServedIndex

    served = [ServedIndex(path) for path in indexes]
    names = ["127.0.0.1", "localhost", "[::1]", *hosts] if hosts else None
    for each in served:
        each.warm()
    app = make_app(served, token=token, hosts=names, limits=Limits(seconds=seconds, at_work=at_work))
    config = uvicorn.Config(app, host=host, port=port, log_level="warning", server_header=False, access_log=False)
    socket = config.bind_socket()
    socket.listen(128)  # so that whoever reads the address is answered
    bound = socket.getsockname()[1]
    tell(f"serving {', '.join(each.name for each in served)} at http://{f'[{host}]' if ':' in host else host}:{bound}/")
    try:
        uvicorn.Server(config).run(sockets=[socket])
    finally:
        for each in served:
            each.close()
