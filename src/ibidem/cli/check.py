"""Look for damage in an index.

Every byte is read and compared with its checksum. A damaged index that cannot be
searched can still be checked. Each problem is a line on standard output, and the exit status is 1 if there is any.

Example:

    ibidem check books.ibidem
"""

import click

from ibidem.cli.command import command
from ibidem.cli.options import index_argument
from ibidem.cli.terminal import format_count, printable, progress, tell


@command(__doc__)
@index_argument
@click.pass_context
def check(context: click.Context, index: str) -> None:
    """Check the files of the index."""
    from ibidem.store import check_index

    with progress() as shown:
        report = check_index(index, shown)
    for problem in report.problems:
        click.echo(printable(problem))
    files = format_count(len(report.files), "file")
    if report.problems:
        tell(f"{index}: {format_count(len(report.problems), 'problem')} in {files}")
        context.exit(1)
    tell(f"{index}: {files} checked, all as they were written")
