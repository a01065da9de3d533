"""Make all parts of an index into one.

Each addition makes a part (a segment) of its own. One part is searched faster than many, and the space of removed
documents becomes free. Searches that are running continue with the parts that they opened.

Example:

    ibidem merge books.ibidem
"""

from typing import Any

from ibidem.cli.command import UNCHANGED, command
from ibidem.cli.options import index_argument, resources
from ibidem.cli.terminal import progress, tell
from ibidem.counts import format_count


@command(__doc__, interrupted=UNCHANGED)
@index_argument
@resources
def merge(index: str, **settings: Any) -> None:
    """Merge the segments."""
    from ibidem.cli.indexes import open_index

    with open_index(index) as opened_index:
        before = opened_index.info()
        with progress() as on_progress:
            report = opened_index.merge(progress=on_progress, **settings)
        after = opened_index.info()
    if report is None:
        tell(f"{index}: there is nothing to merge: one segment, and no removed document in it")
        return
    segments = f"{format_count(before['segments'], 'segment')} became {after['segments']}"
    removed_documents = format_count(before["removed"], "removed document")
    tell(f"{index}: {segments}, without {removed_documents}, in {report.seconds:.1f} s")
