"""KITAB's pairs, read by polars as its users read them."""

from pathlib import Path

import polars as pl
import pytest

from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.result import Reuse

from .conftest import TEXTS


def test_each_two_books_have_a_file_and_each_pair_a_row(reuse: Reuse, target: Path) -> None:
    export_reuse(reuse, target, "kitab")
    names = sorted(path.relative_to(target / "kitab").as_posix() for path in (target / "kitab").rglob("*.csv"))
    assert names == ["a & b/a & b_book.csv", "a & b/a & b_d.csv", "book/book_d.csv"]
    table = pl.read_csv(target / "kitab/a & b/a & b_book.csv", separator="\t", quote_char='"')
    (row,) = table.to_dicts()
    assert (row["id1"], row["seq1"], row["id2"], row["series_b2"], row["seq2"]) == ("a & b", 1, "book.ms7", "book", 7)
    for side in "12":
        text = TEXTS[row[f"id{side}"]]
        passage = text[row[f"b{side}"] : row[f"e{side}"]]
        assert row[f"s{side}"].replace("-", "").replace("\u2010", "-") == passage
        assert text.split()[row[f"bw{side}"] : row[f"ew{side}"]][0].startswith(passage.split()[0])
        assert row[f"len{side}"] == len(text)
    assert len(row["s1"]) == len(row["s2"]) == row["align_len"]
    assert row["ch_match"] == row["matches"] <= row["align_len"]
    assert row["matches_percent"] == pytest.approx(100 * row["ch_match"] / row["align_len"], abs=0.01)
    assert row["w_match"] == 15
