"""Files for other programs, beside those that the commands write: tables, and two texts as one edition."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.corpus.delimited import format_row
from ibidem.text import Document
from ibidem.text.json_values import encode_json

if TYPE_CHECKING:
    from ibidem.results import Alignments

__all__ = ["UNITS", "write_alignments", "write_rows"]

UNITS = ("named", "line", "sentence", "paragraph")
"""The units of two texts side by side: the verses or pages that their files name, or units of the text."""

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
            out.write(format_row("" if value is None else value for value in row) + "\n")


def write_alignments(found: "Alignments", sides: tuple[Document, Document], units: str, folder: Path) -> None:
    """Write the passages that two texts share, their units side by side, and both as TEI with an apparatus."""
    from ibidem.comparison import Comparer, Witness
    from ibidem.comparison.apparatus import write_apparatus
    from ibidem.comparison.collation import collate_units, name_units
    from ibidem.comparison.records import pair_record
    from ibidem.comparison.units import cut_units

    a, b = sides
    records = [pair_record(pair, sides, names={"a": a.id, "b": b.id}) for pair in found]
    if records:
        (folder / "align.jsonl").write_bytes(b"".join(encode_json(record) + b"\n" for record in records))
    write_rows(folder / "align.csv", _PASSAGES, ([record.get(name) for name in _PASSAGES] for record in records))
    kind, for_a, for_b = name_units(a.metadata, b.metadata) if units == "named" else (units, units, units)
    collated = collate_units(a.text, b.text, (for_a, for_b), tokenizer=found.tokenizer)
    rows = []
    for row in collated:
        labels = [each and each.label for each in row[:2]]
        texts = [each and side.text[each.start : each.end] for each, side in zip(row[:2], sides, strict=True)]
        rows.append([*labels, row.similarity, *texts])
    write_rows(folder / "units.csv", [f"{kind} of {a.id}", f"{kind} of {b.id}", "similarity", a.id, b.id], rows)
    whole = Comparer(found.tokenizer, context=0, reasons=False).compare(
        Witness(a.id, 0, len(a.text), a.text), Witness(b.id, 0, len(b.text), b.text)
    )
    write_apparatus(whole, folder / "apparatus.xml", unit=kind, milestones=cut_units(a.text, for_a))
