"""Messages on standard error about documents that were added, left out or ignored, and the work of a search."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ibidem.cli.terminal import tell
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem import DocumentIndex, Ignored, PassageIndex, SketchIndex
    from ibidem.corpus.failures import Failures
    from ibidem.passages.query.statistics import SearchStatistics
    from ibidem.stored_index import BuildReport

_NAMED = 5

_LISTED = 1000
"""Faults of the input that are listed."""


def report_addition(index: "PassageIndex | SketchIndex | DocumentIndex", path: str) -> None:
    """Say what the last addition wrote, and which documents no search will find, or only some."""
    report: BuildReport | None = index.last_write
    if report is None:
        return
    for leftover in report.recovered:
        tell(f"{path}: cleared away what an interrupted writer had left: {leftover}")
    wrote = f"{format_count(report.documents, 'document')} with {format_count(report.tokens, 'token')}"
    tell(f"{path}: {wrote} indexed in {report.seconds:.1f} s")
    min_length = getattr(index.configuration, "min_length", None)
    if min_length is None:
        short = [name for name in report.short if name not in set(report.empty)]
        short_ones, empty_ones = ((len(ids), f": {name_some(ids)}") for ids in (short, report.empty))
        tell_short_documents("shingle", short_ones, empty_ones)
    elif report.short:
        tell(_short_documents(report.short, min_length))


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


def tell_unit(name: str) -> None:
    """Say that runs of characters are compared, if a sample chose them."""
    if name != "words":
        tell(f"compared by runs of characters, --tokenizer {name}: words are too rare, or too short, to compare")


def tell_work(name: str, work: "SearchStatistics") -> None:
    """Say what a search read, what each of its filters left, and how long each took."""
    lists = f"{work.lists_read:,} read, {work.lists_skipped:,} skipped"
    tell(f"{name}: {format_count(work.lists, 'list')}: {lists}")
    tell(f"{name}: {work.postings_read:,} of {format_count(work.postings, 'posting')} looked at")
    areas, matches = format_count(work.areas, "area"), format_count(work.matches, "match", "matches")
    tell(f"{name}: {format_count(work.starts_likely, 'start')} left by tokens, {areas}, {matches}")
    times = ", ".join(f"{step} {1000 * seconds:.2f}" for step, seconds in work.seconds.items())
    tell(f"{name}: ms for {times}")


def name_some(ids: Sequence[str]) -> str:
    """The first few ids, and a sign that there are more.

    >>> name_some(["a", "b"]), name_some(list("abcdefg"))
    ('a, b', 'a, b, c, d, e ...')
    """
    return ", ".join(ids[:_NAMED]) + (" ..." if len(ids) > _NAMED else "")


def tell_short_documents(shingle: str, short: tuple[int, str], empty: tuple[int, str]) -> None:
    """Say how many documents have fewer tokens than a shingle, and how many none, each with where they are named."""
    for (number, place), description in (
        (short, f"shorter than a {shingle}, so all of it is one shingle"),
        (empty, "without a token, so only the same text is a duplicate"),
    ):
        if number:
            tell(f"{format_count(number, 'document')} {description}{place}")


def _short_documents(ids: Sequence[str], min_length: int) -> str:
    documents, are = format_count(len(ids), "document"), "is" if len(ids) == 1 else "are"
    length = format_count(min_length, "token")
    return f"{documents} {are} shorter than {length} and {are} not searchable: {name_some(ids)}"
