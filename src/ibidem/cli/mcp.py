"""Let agents search indexes, over MCP.

MCP is the Model Context Protocol. An agent starts this command and speaks with it over standard input and output.

There are four tools, which only read: search_passages, find_sources, align_texts and get_passage. With --evals there is
a fifth, find_test_items, which says which items of evaluations a text holds. Words are weighed by --sample, files of
the training data, or else by the first INDEX. Commits of ibidem add are followed without a restart.

Examples:

    ibidem mcp books.ibidem
    ibidem mcp books.ibidem letters.ibidem
    ibidem mcp --evals quiz.jsonl --sample crawl/*.jsonl.gz
"""

import click

from ibidem.cli.command import command
from ibidem.cli.gate import gate_options, prepare_gate, require_evals
from ibidem.cli.listening import at_work, log_to_terminal, most_seconds
from ibidem.cli.options import InputPath


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, type=InputPath())
@gate_options
@most_seconds
@at_work
def mcp(
    *,
    indexes: tuple[str, ...],
    evals: tuple[str, ...],
    sample: tuple[str, ...],
    text: str,
    seconds: float,
    at_work: int,
    **columns: str | None,
) -> None:
    """Let agents search the indexes until the process is ended."""
    if not indexes and not evals:
        raise click.UsageError("give an INDEX or --evals EVALS")
    require_evals(evals, sample, columns)
    from ibidem.web.agents.stdio import serve_stdio
    from ibidem.web.agents.tools import Agents
    from ibidem.web.indexes.holdings import Holdings
    from ibidem.web.indexes.served_index import ServedIndex
    from ibidem.web.limits import Limits

    served_indexes = [ServedIndex(path) for path in indexes]
    gate = prepare_gate(evals, served_indexes, sample, text, columns) if evals else None
    holdings = Holdings({served.name: served for served in served_indexes}, Limits(seconds=seconds), gate)
    log_to_terminal()
    try:
        serve_stdio(Agents(holdings), at_work)
    finally:
        for served_index in served_indexes:
            served_index.close()
