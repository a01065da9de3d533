"""Serve indexes over HTTP, with a page to search them.

The page is at the address that is printed at the start: a box for a passage or a whole document, results in context,
and each beside the text that was asked for. With --reuse, the clusters that ibidem reuse found are there to browse.
Programs use the same service; /openapi.json describes it.

With --evals it is a gate in front of training data: POST /v1/contamination takes documents and gives the items that
they hold. Words are weighed by --sample, files of the training data, or else by the first INDEX.

The service answers on this machine alone. To be reached from another it needs a token, --host, and with --allow-host
each name by which it is called; put a proxy in front of it that speaks HTTPS. It only reads, unless --write-token lets
who has it add and remove documents. Commits of ibidem add are followed without a restart. Needs the extra serve: pip
install 'ibidem[serve]'.

Examples:

    ibidem serve books.ibidem
    ibidem serve books.ibidem letters.ibidem --port 8080
    ibidem serve books.ibidem --reuse books.reuse
    ibidem serve --evals quiz.jsonl --sample crawl/*.jsonl.gz
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ibidem.cli.command import command
from ibidem.cli.listening import address, allow_host, ask_for_token, listen, most_seconds
from ibidem.cli.options import InputPath, evals, options_of
from ibidem.cli.terminal import format_count, tell
from ibidem.errors import MissingExtraError
from ibidem.options import EvalColumns
from ibidem.remote.storage import is_remote

if TYPE_CHECKING:
    from ibidem.contamination.eval_index import EvalIndex
    from ibidem.service import ServedIndex


@command(__doc__)
@click.argument("indexes", metavar="INDEX...", nargs=-1, type=InputPath())
@click.option(
    "--reuse", metavar="FOLDER", multiple=True, type=InputPath(), help="What ibidem reuse found; can be given again."
)
@evals(required=False)
@options_of(EvalColumns)
@click.option("--sample", metavar="TRAIN", multiple=True, type=InputPath(), help="Training data; can be given again.")
@click.option("--text", metavar="COLUMN", default="text", show_default=True, help="Column of TRAIN with the text.")
@address(8000)
@click.option(
    "--write-token",
    metavar="TOKEN",
    envvar="IBIDEM_WRITE_TOKEN",
    help="What adds and removes.  [or IBIDEM_WRITE_TOKEN]",
)
@allow_host
@click.option("--allow-origin", "origins", metavar="URL", multiple=True, help="A page that may call it in a browser.")
@most_seconds
@click.option("--at-work", metavar="N", type=click.IntRange(1), default=4, show_default=True, help="Requests at once.")
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Search by searchers on this Ray cluster, which share the segments; 'local' starts one here.",
)
@click.option(
    "--allow-partial", is_flag=True, help="With --ray: answer without searchers that are gone, and say what they own."
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
    if not evals and (sample or any(columns.values())):
        raise click.UsageError("--sample and the columns of evals are for --evals")
    if allow_partial and ray is None:
        raise click.UsageError("--allow-partial is for --ray: one process searches all of an index or nothing")
    if ray is not None and any(is_remote(path) for path in indexes):
        raise click.UsageError("--ray serves indexes on a file system that all nodes see, not at URLs")
    ask_for_token(host, token)
    try:
        from ibidem.service.application import make_app
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error
    from ibidem.service import Access, Limits, ServedIndex, ServedReuse

    served = [ServedIndex(path, ray=ray, allow_partial=allow_partial) for path in indexes]
    findings = [ServedReuse(path) for path in reuse]
    gate = _prepare(evals, served, sample, text, columns) if evals else None
    for each in served:
        each.warm()
        each.follow()
    names = ["127.0.0.1", "localhost", "[::1]", *hosts] if hosts else None
    access = Access(token, write_token, names, origins)
    app = make_app(served, reuse=findings, evals=gate, access=access, limits=Limits(seconds=seconds, at_work=at_work))
    held = [*(each.name for each in served), *(each.name for each in findings)]
    named = ", ".join(dict.fromkeys(held if gate is None else [*held, format_count(len(gate), "item")]))
    try:
        listen(app, host, port, lambda address: tell(f"serving {named} at {address}/"))
    finally:
        for each in served:
            each.close()


def _prepare(
    evals: Sequence[str],
    served: "Sequence[ServedIndex]",
    sample: Sequence[str],
    text: str,
    columns: Mapping[str, str | None],
) -> "EvalIndex":
    """The items, with words weighed by files, or else by the documents of the first index; the kernels are compiled."""
    from ibidem.contamination.eval_index import EvalIndex
    from ibidem.contamination.evals import read_evals
    from ibidem.corpus import read

    texts = read(sample, text=text) if sample else served[0].texts() if served else ()
    gate = EvalIndex(read_evals(list(evals), EvalColumns(**columns)), texts)
    for each in gate.recognized:
        tell(each)
    if not sample and not served:
        tell("words are weighed by the evals alone: --sample TRAIN weighs them by training data")
    gate.find([item.question for item in gate.detector.items[:1]], threads=1)
    return gate
