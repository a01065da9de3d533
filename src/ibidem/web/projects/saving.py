"""What is saved of an answer: a report as one file, with or without names, and tables for other programs."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from ibidem.corpus.writing.tables import format_safe_row, read_safe_cell
from ibidem.web.operations import File
from ibidem.web.problems import ProblemError
from ibidem.web.projects.views import StoredComparisons, read_view
from ibidem.web.report.html import Language, ReportOptions, make_report
from ibidem.web.report.marks import Mark
from ibidem.web.report.view import View
from ibidem.web.requests import Request

_CSV, _ZIP = "text/csv; charset=utf-8", "application/zip"

DOWNLOADS: Mapping[str, tuple[str, str]] = {
    "document_pairs.csv": ("document_pairs.csv", _CSV),
    "documents.csv": ("documents.csv", _CSV),
    "groups.csv": ("groups.csv", _CSV),
    "pairs.csv": ("pairs.csv", _CSV),
    "left_out.csv": ("left_out.csv", _CSV),
    "units.csv": ("units.csv", _CSV),
    "align.csv": ("align.csv", _CSV),
    "align.jsonl": ("align.jsonl", "application/x-ndjson"),
    "apparatus.xml": ("apparatus.xml", "application/tei+xml"),
    "removed.csv": ("removed.csv", _CSV),
    "removed_passages.csv": ("removed_passages.csv", _CSV),
    "kept.zip": ("dedup/kept", _ZIP),
    "reuse.zip": ("reuse", _ZIP),
}
"""The downloads by name: a file of an answer, or a folder as a zip, and its type."""

_OF_UPDATES = "state"
"""The folder of a result that only another run of its command reads."""

_LONGEST_FIELD = (1 << 31) - 1
"""Characters of a cell: passages may be long."""

_PAIR_COLUMNS = (("a", "b"), ("removed", "same as"), ("document", "duplicate_of"))

_BOM = "\ufeff"
"""By which spreadsheets know that a table is UTF-8."""


class ProjectRequest(Request, frozen=True, kw_only=True):
    """A project by its id."""

    project: str


class RunRequest(ProjectRequest, frozen=True, kw_only=True):
    """A question that was asked."""

    run: str


class ReportRequest(RunRequest, frozen=True, kw_only=True):
    """A report of an answer.

    ``names`` says whether documents have their names, ``texts`` whether passages have their texts, ``blank`` which
    names are blanked in texts and notes, ``marks`` whether the report has what was said of pairs, and ``key`` whether
    the answer is the key of the numbers, and not the report.
    """

    title: str | None = None
    names: bool = True
    texts: bool = True
    blank: list[str] = msgspec.field(default_factory=list)
    marks: bool = True
    key: bool = False
    language: Language = "en"


def list_downloads(answer: Path) -> list[str]:
    """The names of the downloads of an answer."""
    return [name for name, (place, _) in DOWNLOADS.items() if _holds_something(answer / place)]


def _holds_something(path: Path) -> bool:
    return path.is_file() or (path.is_dir() and any(path.iterdir()))


def open_download(answer: Path, name: str, marks: Sequence[Mark] = ()) -> File:
    """A download; a table of pairs has what was said of each in two more columns.

    Raises:
        ProblemError: the answer has none of this name.
    """
    place, kind = DOWNLOADS.get(name, ("", ""))
    path = answer / place
    if not place or not path.exists():
        raise ProblemError(404, "this answer has no such file")
    if name.endswith(".csv"):
        return File((_BOM + add_marks(path.read_text("utf-8"), marks)).encode(), name, kind)
    if path.is_file():
        return File(path.read_bytes(), name, kind)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for file in sorted(path.rglob("*")):
            if file.is_file() and file.relative_to(path).parts[0] != _OF_UPDATES:
                out.write(file, file.relative_to(path.parent))
    return File(archive.getvalue(), name, kind)


def add_marks(table: str, marks: Sequence[Mark]) -> str:
    """A table of CSV with the columns ``mark`` and ``note``, if its rows name two documents.

    >>> add_marks("a,b,words\\nx,y,3\\n", [Mark("y", "x", "quotation", "p. 3")])
    'a,b,words,mark,note\\nx,y,3,quotation,p. 3\\n'
    """
    csv.field_size_limit(_LONGEST_FIELD)
    rows = (list(map(read_safe_cell, row)) for row in csv.reader(io.StringIO(table, newline="")))
    header = next(rows, [])
    names = next((pair for pair in _PAIR_COLUMNS if {*pair} <= {*header}), None)
    if names is None:
        return table
    a, b = map(header.index, names)
    mark_of = {frozenset((mark.a, mark.b)): (mark.mark, mark.note) for mark in marks}
    lines = [format_safe_row([*header, "mark", "note"])]
    lines += [format_safe_row([*row, *mark_of.get(frozenset((row[a], row[b])), ("", ""))]) for row in rows]
    return "".join(f"{row}\n" for row in lines)


def save_report(answer: Path, request: ReportRequest, marks: Sequence[Mark] = ()) -> File:
    """A report of an answer, or the key that says which document has which number."""
    view = msgspec.json.decode(read_view(answer), type=View)
    ids = [document["name"] for document in view.documents]
    if request.key:
        rows = [["number", "document"], *([number, name] for number, name in enumerate(ids, 1))]
        table = "".join(f"{format_safe_row(row)}\n" for row in rows)
        return File((_BOM + table).encode(), "key.csv", _CSV)
    options = ReportOptions(
        title=request.title,
        anonymous=not request.names,
        texts=request.texts,
        blank=request.blank,
        marks=marks,
        language=request.language,
    )
    page, _ = make_report(view, StoredComparisons(answer / "comparisons"), ids, options)
    return File(page, "report.html", "application/octet-stream")
