"""Remove documents from an index.

ID is the id of a document, as searches report it. If the index has no document of one of the ids, that is an error and
nothing is removed. Removed documents are no longer found; ibidem merge frees their space.

Examples:

    ibidem remove books.ibidem ferry.txt
    ibidem remove books.ibidem --ids-from withdrawn.txt
"""

from typing import TextIO

import click

from ibidem.cli.command import UNCHANGED, command
from ibidem.cli.options import index_argument
from ibidem.cli.reports import name_some
from ibidem.cli.terminal import tell
from ibidem.counts import format_count


@command(__doc__, interrupted=UNCHANGED)
@index_argument
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--ids-from", metavar="FILE", type=click.File(encoding="utf-8"), help="A file of ids, one a line.")
def remove(index: str, ids: tuple[str, ...], ids_from: TextIO | None) -> None:
    """Remove the documents."""
    wanted_ids = list(ids)
    if ids_from is not None:
        wanted_ids += [line for line in ids_from.read().split("\n") if line]
    if not wanted_ids:
        raise click.UsageError("name the documents to remove, by ID or with --ids-from FILE")
    from ibidem.cli.indexes import open_index

    with open_index(index) as opened_index:
        removed_ids = opened_index.remove(wanted_ids)
    tell(f"{index}: {format_count(len(removed_ids), 'document')} removed: {name_some(removed_ids)}")
