"""Files for other programs, beside those that the commands write: tables, and two texts as one edition."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.corpus.writing.tables import format_safe_row
from ibidem.text import Document
from ibidem.text.json_values import encode_json

if TYPE_CHECKING:
    from ibidem.results import Alignments

_PASSAGES = (
    "a",
    "b",
    "a_start",
    "a_end",
    "a_locator",
    "b_start",
    "b_end",
    "b_locator",
    "similarity",
    "kind",
    "a_text",
    "b_text",
)


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table with a header as CSV."""
    with path.open("x", encoding="utf-8", newline="") as out:
        for row in ([*columns], *rows):
            out.write(format_safe_row(row) + "\n")


def write_alignments(alignments: "Alignments", sides: tuple[Document, Document], units: str, folder: Path) -> None:
    """Write the passages that two texts share, their units side by side, and both as TEI with an apparatus."""
    from ibidem.comparison.edition import Edition
    from ibidem.comparison.records import pair_record

    a, b = sides
    records = [pair_record(pair, sides, names={"a": a.id, "b": b.id}) for pair in alignments]
    if records:
        (folder / "align.jsonl").write_bytes(b"".join(encode_json(record) + b"\n" for record in records))
    write_rows(folder / "align.csv", _PASSAGES, ([record.get(name) for name in _PASSAGES] for record in records))
    edition = Edition.of(a, b, alignments.tokenizer, None if units == "named" else units)
    edition.write_table(folder / "units.csv")
    edition.write_apparatus(folder / "apparatus.xml")
