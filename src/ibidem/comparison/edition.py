"""Two whole texts as files: their units side by side in a table, and both as one TEI file with an apparatus."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from ibidem.comparison.apparatus import write_apparatus
from ibidem.comparison.collation import collate_units, name_units
from ibidem.comparison.compare import Comparer, Witness
from ibidem.comparison.units import Units, cut_units
from ibidem.corpus.writing.tables import format_safe_row
from ibidem.errors import CorpusError
from ibidem.text import Document, TokenizerSpec


class Edition(NamedTuple):
    """Two texts, and the units that they are cut into.

    Attributes:
        unit: the kind of a unit, such as ``"verse"``.
        for_a, for_b: the units of either text.
    """

    a: Document
    b: Document
    tokenizer: TokenizerSpec
    unit: str
    for_a: Units
    for_b: Units

    @classmethod
    def of(cls, a: Document, b: Document, tokenizer: TokenizerSpec, unit: str | None = None) -> Self:
        """Cut two texts into lines, sentences or paragraphs, or else as their files do if both name verses or pages."""
        return cls(a, b, tokenizer, *(name_units(a.metadata, b.metadata) if unit is None else (unit, unit, unit)))

    def write_table(self, path: Path) -> None:
        """Write a row for each two units that correspond, and for each that only one text has, as CSV.

        Raises:
            ValueError: the name of the unit is unknown.
        """
        sides = self.a, self.b
        collated = collate_units(self.a.text, self.b.text, (self.for_a, self.for_b), tokenizer=self.tokenizer)
        rows: list[list[object]] = [
            [*(f"{self.unit} of {each.id}" for each in sides), "similarity", self.a.id, self.b.id]
        ]
        for row in collated:
            labels = [each and each.label for each in row[:2]]
            texts = [each and side.text[each.start : each.end] for each, side in zip(row[:2], sides, strict=True)]
            rows.append([*labels, row.similarity, *texts])

        def write(aside: Path) -> None:
            with aside.open("w", encoding="utf-8", newline="") as out:
                out.writelines(format_safe_row(row) + "\n" for row in rows)

        _write_whole(path, write)

    def write_apparatus(self, path: Path) -> None:
        """Write both texts as one TEI file, in which a ``milestone`` begins each unit of the first.

        Raises:
            ValueError: the name of the unit is unknown.
        """
        milestones = cut_units(self.a.text, self.for_a)
        witnesses = [Witness(each.id, 0, len(each.text), each.text) for each in (self.a, self.b)]
        compared = Comparer(self.tokenizer, context=0, reasons=False).compare(witnesses[0], witnesses[1])
        _write_whole(path, lambda aside: write_apparatus(compared, aside, unit=self.unit, milestones=milestones))


def _write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Have a file written beside its place, and give it its name when all is there.

    Raises:
        CorpusError: it cannot be written.
    """
    aside = path.with_name(f"{path.name}.partial")
    try:
        write(aside)
        aside.replace(path)
    except OSError as error:
        raise CorpusError(f"{path}: it cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            aside.unlink()
