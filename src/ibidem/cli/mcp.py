"""Let agents search indexes, over MCP.

MCP is the Model Context Protocol. An agent starts this command and speaks with it over standard input and output. With
--http it answers at /mcp over streamable HTTP instead, on this machine alone unless --host, --token and --allow-host
say otherwise.

There are four tools, which only read: search_passages, align_texts, trace_text and get_passage. Commits of ibidem add
are followed without a restart. Needs the extra mcp: pip install 'ibidem[mcp]'.

Examples:

    ibidem mcp books.ibidem
    ibidem mcp books.ibidem letters.ibidem --http --port 8001
"""

import click

from ibidem.cli.command import command
from ibidem.cli.listening import ask_for_token, listen
from ibidem.cli.terminal import tell
from ibidem.errors import MissingExtraError


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, required=True, type=click.Path())
@click.option("--http", is_flag=True, help="Answer over HTTP, in place of standard input and output.")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=8001, show_default=True, help="0: any free."
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
def mcp(
    *,
    indexes: tuple[str, ...],
    http: bool,
    host: str,
    port: int,
    token: str | None,
    hosts: tuple[str, ...],
    seconds: float,
) -> None:
    """Let agents search the indexes until the process is ended."""
    ask_for_token(host, token)
    try:
        from ibidem.service.tools import make_http_app, make_server
    except ImportError as error:
        raise MissingExtraError("the service for agents", "mcp") from error
    from ibidem.service import Access, Limits, ServedIndex
    from ibidem.service.tasks import TaskQueue
    from ibidem.service.work.holdings import Holdings

    served = [ServedIndex(path) for path in indexes]
    limits = Limits(seconds=seconds)
    server = make_server(Holdings({each.name: each for each in served}, {}, TaskQueue(0), limits))
    try:
        if http:
            names = ["127.0.0.1", "localhost", "[::1]", *hosts] if hosts else None
            for each in served:
                each.warm()
            listen(make_http_app(server, Access(token, hosts=names)), host, port, lambda at: tell(f"{at}/mcp"))
        else:
            server.run("stdio")
    finally:
        for each in served:
            each.close()
