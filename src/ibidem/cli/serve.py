"""Serve indexes over HTTP, with a page to search them.

The page is at the address that is printed at the start: a box for a passage or a whole document, results in context,
and each beside the text that was asked for. Programs use the same service; /openapi.json describes it.

With --evals it is a gate in front of training data: POST /v1/contamination takes documents and returns the items that
they hold, and the page shows those of a document that is pasted. Words are weighed by --sample, files of the training
data, or else by the first INDEX.

The service answers on this machine alone, and only reads. To be reached from another it needs a token, --host, and with
--allow-host each name by which it is called; put a proxy in front of it that speaks HTTPS. What ibidem add does to an
INDEX on a disk is seen without a restart. Needs the extra serve: pip install 'ibidem[serve]'.

Examples:

    ibidem serve books.ibidem
    ibidem serve books.ibidem letters.ibidem --port 8080
    ibidem serve --evals quiz.jsonl --sample crawl/*.jsonl.gz
"""

import click

from ibidem.cli.command import command
from ibidem.cli.gate import gate_options, prepare_gate, require_evals
from ibidem.cli.listening import at_work, listen, most_seconds
from ibidem.cli.options import InputPath
from ibidem.cli.terminal import tell
from ibidem.counts import format_count
from ibidem.errors import MissingExtraError
from ibidem.remote.storage import is_remote

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, type=InputPath())
@gate_options
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0: any free."
)
@click.option(
    "--token", metavar="TOKEN", envvar="IBIDEM_TOKEN", help="Token that requests must bring.  [or IBIDEM_TOKEN]"
)
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True, help="A name by which the service is called.")
@most_seconds
@at_work
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Search by searchers on this Ray cluster, which share the segments; 'local' starts one here.",
)
@click.option(
    "--allow-partial",
    is_flag=True,
    help="With --ray: answer without searchers that are lost, and name the parts that they own.",
)
def serve(
    *,
    indexes: tuple[str, ...],
    evals: tuple[str, ...],
    sample: tuple[str, ...],
    text: str,
    host: str,
    port: int,
    token: str | None,
    hosts: tuple[str, ...],
    seconds: float,
    at_work: int,
    ray: str | None,
    allow_partial: bool,
    **columns: str | None,
) -> None:
    """Serve the indexes until it is ended."""
    if not indexes and not evals:
        raise click.UsageError("give an INDEX or --evals EVALS")
    require_evals(evals, sample, columns)
    if allow_partial and ray is None:
        raise click.UsageError("--allow-partial is for --ray: one process searches all of an index or nothing")
    if ray is not None and any(is_remote(path) for path in indexes):
        raise click.UsageError("--ray serves indexes on a file system that all nodes see, not at URLs")
    if host not in _LOOPBACK and not token:
        raise click.UsageError(f"to answer on {host}, other machines too, the service needs a --token")
    try:
        from ibidem.web.indexes.server import make_app
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error
    from ibidem.web.access import LOOPBACK, Access
    from ibidem.web.indexes.served_index import ServedIndex
    from ibidem.web.limits import Limits

    served_indexes = [ServedIndex(path, ray=ray, allow_partial=allow_partial) for path in indexes]
    gate = prepare_gate(evals, served_indexes, sample, text, columns) if evals else None
    for served_index in served_indexes:
        served_index.warm()
    limits = Limits(seconds=seconds, at_work=at_work)
    app = make_app(served_indexes, evals=gate, access=Access(token, (*LOOPBACK, *hosts)), limits=limits)
    names = [served_index.name for served_index in served_indexes]
    items = [] if gate is None else [format_count(len(gate), "item")]
    try:
        listen(app, host, port, lambda address: tell(f"serving {', '.join([*names, *items])} at {address}/"))
    finally:
        for served_index in served_indexes:
            served_index.close()
