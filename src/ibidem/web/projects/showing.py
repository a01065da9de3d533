"""Downloads of an answer: a report as one file, with or without names, and tables for other programs."""

import csv
import io
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from ibidem.corpus.writing.tables import format_safe_row, read_safe_cell
from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import Mark
from ibidem.web.report.html import Language

DOWNLOADS: Mapping[str, tuple[str, str]] = {
    "document_pairs.csv": ("document_pairs.csv", "text/csv; charset=utf-8"),
    "pairs.csv": ("pairs.csv", "text/csv; charset=utf-8"),
    "left_out.csv": ("left_out.csv", "text/csv; charset=utf-8"),
    "units.csv": ("units.csv", "text/csv; charset=utf-8"),
    "align.csv": ("align.csv", "text/csv; charset=utf-8"),
    "align.jsonl": ("align.jsonl", "application/x-ndjson"),
    "apparatus.xml": ("apparatus.xml", "application/tei+xml"),
    "removed.csv": ("removed.csv", "text/csv; charset=utf-8"),
    "removed_passages.csv": ("removed_passages.csv", "text/csv; charset=utf-8"),
    "documents.graphml": ("graphml/documents.graphml", "application/graphml+xml"),
    "tei.zip": ("tei", "application/zip"),
    "kept.zip": ("dedup/kept", "application/zip"),
    "reuse.zip": ("reuse", "application/zip"),
}
"""The downloads by name: a file of an answer, or a folder as a zip, and its type."""

RESULTS = ("reuse", "dedup", "align.jsonl")
"""The parts of an answer that ``ibidem report`` makes reports of."""

_SECONDS = 120

_LONGEST_FIELD = (1 << 31) - 1
"""Characters of a cell: passages may be long."""


def list_downloads(answer: Path) -> list[str]:
    """The names of the downloads of an answer."""
    files = [name for name, (place, _) in DOWNLOADS.items() if _holds_something(answer / place)]
    return [*files, *(["report.html"] if any((answer / name).exists() for name in RESULTS) else [])]


def _holds_something(path: Path) -> bool:
    return path.is_file() or (path.is_dir() and any(path.iterdir()))


_PAIR_COLUMNS = (("a", "b"), ("removed", "same as"), ("document", "duplicate_of"))


def open_download(answer: Path, name: str, marks: Sequence[Mark] = ()) -> tuple[bytes, str]:
    """The bytes of a download, and their type; a table of pairs has what was said of each in two more columns.

    Raises:
        ProblemError: the answer has none of this name.
    """
    place, kind = DOWNLOADS.get(name, ("", ""))
    path = answer / place
    if not place or not path.exists():
        raise ProblemError(404, "this answer has no such file")
    if name.endswith(".csv"):
        return add_marks(path.read_text("utf-8"), marks).encode(), kind
    if path.is_file():
        return path.read_bytes(), kind
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for file in sorted(path.rglob("*")):
            if file.is_file():
                out.write(file, file.relative_to(path.parent))
    return archive.getvalue(), kind


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


class AskedReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report to be made.

    Attributes:
        title: its heading.
        names: whether documents have their names.
        texts: whether the report has the texts of passages.
        blank: names that are blanked in the texts and the notes.
        marks: whether the report has what was said of pairs.
        key: whether the answer is the key, and not the report.
        language: of what the report itself says.
    """

    title: str = "Matching passages"
    names: bool = True
    texts: bool = True
    blank: list[str] = []
    marks: bool = True
    key: bool = False
    language: Language = "en"


def make_report(answer: Path, folder: Path, request: AskedReport, marks: Sequence[Mark] = ()) -> tuple[bytes, bytes]:
    """A report of an answer, and the key that says which document has which number, by the command that makes both.

    Args:
        folder: an empty one, where the command writes.
        marks: what was said of pairs.

    Raises:
        ProblemError: there is nothing to make a report of.
    """
    results = [name for name in RESULTS if (answer / name).exists()]  # a report names them: no path of this machine
    if not results:
        raise ProblemError(404, "there is no report of this answer")
    documents = [path for name in ("texts.jsonl", "sources.jsonl") if (path := answer / name).exists()]
    (folder / "names.txt").write_text("\n".join(request.blank), encoding="utf-8")
    options = ["--title", request.title, "--key", folder / "key.csv", "--blank", folder / "names.txt"]
    options += ["--language", request.language, *([] if request.names else ["--anonymous"])]
    if marks:
        rows = [msgspec.structs.astuple(mark) for mark in marks]
        (folder / "marks.csv").write_text(
            "".join(f"{format_safe_row(row)}\n" for row in [("a", "b", "mark", "note"), *rows]), "utf-8"
        )
        options += ["--marks", folder / "marks.csv"]
    options += ["--texts" if request.texts else "--no-texts", "-o", folder / "report.html"]
    command = [sys.executable, "-m", "ibidem.cli", "report", *results]
    command += [str(part) for path in documents for part in ("--documents", path)]
    process = subprocess.run(
        [*command, *map(str, options)], cwd=answer, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if process.returncode:
        raise ProblemError(500, process.stderr.strip().rpartition("\n")[2])
    return (folder / "report.html").read_bytes(), (folder / "key.csv").read_bytes()
