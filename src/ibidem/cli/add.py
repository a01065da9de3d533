"""Add documents to an index.

INPUT is what the command index takes. The index's own configuration holds; an id that the index has already is an
error, and nothing is added then.

Examples:

    ibidem add books.ibidem more
    ibidem add books.ibidem poems.jsonl --text verse --id title --memory 512M
"""

from typing import Any

from ibidem.cli import options
from ibidem.cli.command import UNCHANGED, command
from ibidem.cli.reports import report_addition
from ibidem.cli.terminal import progress


@command(__doc__, interrupted=UNCHANGED)
@options.index_argument
@options.inputs_argument
@options.reading
@options.duplicate_ids("error")
@options.max_line
@options.resources
def add(
    index: str,
    inputs: tuple[str, ...],
    **settings: Any,
) -> None:
    """Add the documents of the inputs."""
    from ibidem.cli.indexes import open_index
    from ibidem.corpus import ReadingProgress, read
    from ibidem.resources import Resources

    with open_index(index) as opened_index:
        reading = ReadingProgress()
        size = Resources.of(settings["memory"], None, None).batch_bytes
        documents = read(inputs, **options.take_reading(settings), batch_bytes=size, progress=reading)
        with progress(reading) as on_progress:
            opened_index.add(documents, progress=on_progress, **settings)
        report_addition(opened_index, index)
