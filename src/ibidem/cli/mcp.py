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
from ibidem.cli.listening import address, allow_host, ask_for_token, listen, most_seconds
from ibidem.cli.log import log_to_terminal
from ibidem.cli.options import InputPath
from ibidem.cli.terminal import tell
from ibidem.errors import MissingExtraError


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, required=True, type=InputPath())
@click.option("--http", is_flag=True, help="Answer over HTTP, in place of standard input and output.")
@address(8001)
@allow_host
@most_seconds
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
        from ibidem.service.stdio import serve_stdio
        from ibidem.service.tools import make_http_app, make_server
    except ImportError as error:
        raise MissingExtraError("the service for agents", "mcp") from error
    from ibidem.service import Access, Limits, ServedIndex
    from ibidem.service.tasks import TaskQueue
    from ibidem.service.work.holdings import Holdings

    served = [ServedIndex(path) for path in indexes]
    for each in served:
        each.follow()
    limits = Limits(seconds=seconds)
    server = make_server(Holdings({each.name: each for each in served}, {}, TaskQueue(0), limits))
    try:
        if http:
            names = ["127.0.0.1", "localhost", "[::1]", *hosts] if hosts else None
            for each in served:
                each.warm()
            listen(make_http_app(server, Access(token, hosts=names), limits), host, port, lambda at: tell(f"{at}/mcp"))
        else:
            log_to_terminal()
            serve_stdio(server, limits.body_bytes)
    finally:
        for each in served:
            each.close()
