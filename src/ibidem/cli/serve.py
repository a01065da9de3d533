"""Serve indexes over HTTP, with a page to search them.

The page is at the address that is printed at the start: a box for a passage or a whole document, results in context,
and each beside the text that was asked for. With --reuse, the clusters that ibidem reuse found are there to browse.
Programs use the same service; /openapi.json describes it.

With --evals it is a gate in front of training data: POST /v1/contamination takes documents and returns the items that
they hold, and the page shows those of a document that is pasted. Words are weighed by --sample, files of the training
data, or else by the first INDEX.

The service answers on this machine alone. To be reached from another it needs a token, --host, and with --allow-host
each name by which it is called; put a proxy in front of it that speaks HTTPS. It only reads; requests with the
--write-token can add and remove documents. What ibidem add does to an INDEX on a disk is seen without a restart. Needs
the extra serve: pip install 'ibidem[serve]'.

Examples:

    ibidem serve books.ibidem
    ibidem serve books.ibidem letters.ibidem --port 8080
    ibidem serve books.ibidem --reuse books.reuse
    ibidem serve --evals quiz.jsonl --sample crawl/*.jsonl.gz
"""

import click

from ibidem.cli.command import command
from ibidem.cli.gate import gate_options, prepare_gate, require_evals
from ibidem.cli.listening import address, allow_host, ask_for_token, listen, most_seconds
from ibidem.cli.options import InputPath
from ibidem.cli.terminal import tell
from ibidem.counts import format_count
from ibidem.errors import MissingExtraError
from ibidem.remote.storage import is_remote


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, type=InputPath())
@click.option(
    "--reuse", metavar="FOLDER", multiple=True, type=InputPath(), help="What ibidem reuse found; can be given again."
)
@gate_options
@address(8000)
@click.option(
    "--write-token",
    metavar="TOKEN",
    envvar="IBIDEM_WRITE_TOKEN",
    help="Token that may add and remove documents.  [or IBIDEM_WRITE_TOKEN]",
)
@allow_host
@click.option(
    "--allow-origin", "origins", metavar="URL", multiple=True, help="Origin of a web page that may call the service."
)
@most_seconds
@click.option(
    "--at-work", metavar="N", type=click.IntRange(1), default=4, show_default=True, help="Requests at a time."
)
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
    reuse: tuple[str, ...],
    evals: tuple[str, ...],
    sample: tuple[str, ...],
    text: str,
    host: str,
    port: int,
    token: str | None,
    write_token: str | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    seconds: float,
    at_work: int,
    ray: str | None,
    allow_partial: bool,
    **columns: str | None,
) -> None:
    """Serve the indexes until it is ended."""
    if not indexes and not reuse and not evals:
        raise click.UsageError("give an INDEX, --reuse FOLDER or --evals EVALS")
    require_evals(evals, sample, columns)
    if allow_partial and ray is None:
        raise click.UsageError("--allow-partial is for --ray: one process searches all of an index or nothing")
    if ray is not None and any(is_remote(path) for path in indexes):
        raise click.UsageError("--ray serves indexes on a file system that all nodes see, not at URLs")
    ask_for_token(host, token)
    try:
        from ibidem.web.indexes.server import make_app
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error
    from ibidem.web.access import Access
    from ibidem.web.indexes.served_index import ServedIndex
    from ibidem.web.indexes.served_reuse import ServedReuse
    from ibidem.web.limits import Limits

    served_indexes = [ServedIndex(path, ray=ray, allow_partial=allow_partial) for path in indexes]
    findings = [ServedReuse(path) for path in reuse]
    gate = prepare_gate(evals, served_indexes, sample, text, columns) if evals else None
    for served_index in served_indexes:
        served_index.warm()
    host_names = ["127.0.0.1", "localhost", "[::1]", *hosts] if hosts else None
    access = Access(token, write_token, host_names, origins)
    app = make_app(
        served_indexes, reuse=findings, evals=gate, access=access, limits=Limits(seconds=seconds, at_work=at_work)
    )
    contents = [
        *(served_index.name for served_index in served_indexes),
        *(folder.name for folder in findings),
    ]
    names = ", ".join(dict.fromkeys(contents if gate is None else [*contents, format_count(len(gate), "item")]))
    try:
        listen(app, host, port, lambda address: tell(f"serving {names} at {address}/"))
    finally:
        for served_index in served_indexes:
            served_index.close()
