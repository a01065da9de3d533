"""Messages on standard error about documents that were added, left out or ignored, and the work of a search."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from ibidem.cli.terminal import tell
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem import Ignored, PassageIndex, SketchIndex
    from ibidem.corpus.failures import Failures
    from ibidem.passages.query.statistics import SearchStatistics
    from ibidem.stored_index import BuildReport

_NAMED = 5

_LISTED = 1000
"""Faults of the input that are listed."""


def report_addition(index: "PassageIndex | SketchIndex", path: str) -> None:
    """Say what the last addition wrote, and which documents no search will find."""
    report = index.last_write
    if report is None:
        return
    for leftover in report.recovered:
        tell(f"{path}: cleared away what an interrupted writer had left: {leftover}")
    wrote = f"{format_count(report.documents, 'document')} with {format_count(report.tokens, 'token')}"
    tell(f"{path}: {wrote} indexed in {report.seconds:.1f} s")
    if report.short:
        tell(_short_documents(report, index.configuration.min_length))


def tell_failures(failures: "Failures") -> None:
    """List the documents (rows, or files of archives) and files that were left out of the input."""
    documents = [format_count(failures.rows, "document")] if failures.rows else []
    files = [f"{format_count(failures.files, 'file')} or the rest of one"] if failures.files else []
    tell(f"left out of the input: {' and '.join(documents + files)}:", is_fault=True)
    for failure in islice(failures, _LISTED):
        tell(f"  {failure.message}", is_fault=True)
    if len(failures) > _LISTED:
        tell(f"  and {len(failures) - _LISTED:,} more", is_fault=True)


def tell_ignored(ignored: Iterable["Ignored"], names: Mapping[str, str] | None = None) -> None:
    """List the passages that count as absent, under the ``names`` of their documents."""
    for passage in ignored:
        name = (names or {}).get(passage.document, passage.document)
        tell(
            f"{name}: characters {passage.start:,} to {passage.end:,} ignored: similar to "
            f"{passage.text}, {passage.text_start:,} to {passage.text_end:,} ({passage.similarity:.3f})"
        )


def tell_work(name: str, work: "SearchStatistics") -> None:
    """Say what a search read, what each of its filters left, and how long each took."""
    lists = f"{work.lists_read:,} read, {work.lists_skipped:,} skipped"
    tell(f"{name}: {format_count(work.lists, 'list')}: {lists}")
    tell(f"{name}: {work.postings_read:,} of {format_count(work.postings, 'posting')} looked at")
    areas, matches = format_count(work.areas, "area"), format_count(work.matches, "match", "matches")
    tell(f"{name}: {format_count(work.starts_likely, 'start')} left by tokens, {areas}, {matches}")
    times = ", ".join(f"{step} {1000 * seconds:.2f}" for step, seconds in work.seconds.items())
    tell(f"{name}: ms for {times}")


def name_some(ids: list[str]) -> str:
    """The first few ids, and a sign that there are more.

    >>> name_some(["a", "b"]), name_some(list("abcdefg"))
    ('a, b', 'a, b, c, d, e ...')
    """
    return ", ".join(ids[:_NAMED]) + (" ..." if len(ids) > _NAMED else "")


def _short_documents(report: "BuildReport", min_length: int) -> str:
    documents = format_count(len(report.short), "document")
    are = "is" if len(report.short) == 1 else "are"
    length = format_count(min_length, "token")
    return f"{documents} {are} shorter than {length} and {are} not searchable: {name_some(report.short)}"
