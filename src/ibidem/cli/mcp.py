"""Let agents search indexes, over MCP.

MCP is the Model Context Protocol. An agent starts this command and speaks with it over standard input and output. With
--http it answers at /mcp over streamable HTTP instead, on this machine alone unless --host, --token and --allow-host
say otherwise.

There are four tools, which only read: search_passages, align_texts, trace_text and get_passage. With --evals there is a
fifth, find_test_items, which says which items of evaluations a text holds; words are weighed by --sample, files of the
training data, or else by the first INDEX. Commits of ibidem add are followed without a restart. --http needs the
extra serve: pip install 'ibidem[serve]'.

Examples:

    ibidem mcp books.ibidem
    ibidem mcp books.ibidem letters.ibidem --http --port 8001
    ibidem mcp --evals quiz.jsonl --sample crawl/*.jsonl.gz
"""

import click

from ibidem.cli.command import command
from ibidem.cli.gate import gate_options, prepare_gate, require_evals
from ibidem.cli.listening import address, allow_host, ask_for_token, listen, most_seconds
from ibidem.cli.log import log_to_terminal
from ibidem.cli.options import InputPath
from ibidem.cli.terminal import tell
from ibidem.errors import MissingExtraError


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, type=InputPath())
@gate_options
@click.option("--http", is_flag=True, help="Answer over HTTP, in place of standard input and output.")
@address(8001)
@allow_host
@most_seconds
def mcp(
    *,
    indexes: tuple[str, ...],
    evals: tuple[str, ...],
    sample: tuple[str, ...],
    text: str,
    http: bool,
    host: str,
    port: int,
    token: str | None,
    hosts: tuple[str, ...],
    seconds: float,
    **columns: str | None,
) -> None:
    """Let agents search the indexes until the process is ended."""
    if not indexes and not evals:
        raise click.UsageError("give an INDEX or --evals EVALS")
    require_evals(evals, sample, columns)
    ask_for_token(host, token)
    try:
        if http:
            from ibidem.web.agents.http import make_http_app
    except ImportError as error:
        raise MissingExtraError("HTTP for agents", "serve") from error
    from ibidem.web.access import Access
    from ibidem.web.agents.stdio import serve_stdio
    from ibidem.web.agents.tools import Agents
    from ibidem.web.indexes.holdings import Holdings
    from ibidem.web.indexes.served_index import ServedIndex
    from ibidem.web.indexes.tasks import TaskQueue
    from ibidem.web.limits import Limits

    served_indexes = [ServedIndex(path) for path in indexes]
    gate = prepare_gate(evals, served_indexes, sample, text, columns) if evals else None
    limits = Limits(seconds=seconds)
    agents = Agents(
        Holdings({served_index.name: served_index for served_index in served_indexes}, {}, TaskQueue(0), limits, gate)
    )
    try:
        if http:
            names = ["127.0.0.1", "localhost", "[::1]", *hosts] if hosts else None
            for served_index in served_indexes:
                served_index.warm()
            listen(
                make_http_app(agents, Access(token, hosts=names), limits), host, port, lambda url: tell(f"{url}/mcp")
            )
        else:
            log_to_terminal()
            serve_stdio(agents, limits.body_bytes)
    finally:
        for served_index in served_indexes:
            served_index.close()
