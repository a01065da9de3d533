"""Look for damage in an index.

Reads every byte, compares it with its checksum, and compares what the files say of each other. A damaged index that
cannot be searched can still be checked. Each problem is a line on standard output, and the exit status is 1 if there is
any.

Example:

    ibidem check books.ibidem
"""

import click

from ibidem.cli.command import command
from ibidem.cli.indexes import open_index
from ibidem.cli.options import index_argument
from ibidem.cli.terminal import printable, progress, tell
from ibidem.counts import format_count


@command(__doc__)
@index_argument
@click.pass_context
def check(context: click.Context, index: str) -> None:
    """Check the files of the index."""
    from ibidem.store import check_index

    with progress() as on_progress:
        report = check_index(index, on_progress)
    problems = report.problems or _find_problems_of_opening(index)
    for problem in problems:
        click.echo(printable(problem))
    files = format_count(len(report.files), "file")
    if problems:
        tell(f"{index}: {format_count(len(problems), 'problem')} in {files}")
        context.exit(1)
    tell(f"{index}: {files} checked, all as they were written")


def _find_problems_of_opening(path: str) -> list[str]:
    """Find why an index cannot be opened although its files are intact; the list is empty if it can.

    A package, or a function that makes the tokens, that is missing on this machine is no problem of the index.
    """
    from ibidem.errors import ConfigurationError, DamagedError, MissingExtraError
    from ibidem.store import Store

    try:
        with Store.open(path) as store:
            tokenizer = store.config.get("tokenizer") or store.config.get("shingles")
        if isinstance(tokenizer, dict) and tokenizer.get("name") == "callable":
            return []
        open_index(path).close()
    except (ConfigurationError, DamagedError) as error:
        return [str(error)]
    except MissingExtraError as error:
        tell(f"{path}: its tokenizer was not checked: {error}")
    return []
