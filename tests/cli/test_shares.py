"""align --shares: how many words documents share, as lines for a program and sentences for a reader."""

import json
from pathlib import Path

import pytest

from ibidem import find_reuse

from .samples import Run, lines_of

SAID = "the whole street ran down to the harbour with lanterns and blankets and called out all the names"


@pytest.fixture
def quoting(folder: Path) -> None:
    """A text, one that quotes it and goes on, and a table of both."""
    texts = {"said": f"They tell that {SAID}.", "says": f"He wrote: “{SAID}.” Then it rained, and nobody came."}
    for name, text in texts.items():
        Path(f"{name}.txt").write_text(text, "utf-8")
    rows = [json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items()]
    Path("both.jsonl").write_text("".join(rows), "utf-8")
    Path("pair.jsonl").write_text('{"suspicious": "says", "source": "said"}\n', "utf-8")


@pytest.mark.usefixtures("quoting")
def test_shares_are_the_columns_of_document_pairs(run: Run) -> None:
    (counted,) = lines_of(run("align", "says.txt", "said.txt", "--shares"))
    count = len(SAID.split())
    assert (counted["a"], counted["b"], counted["passages"]) == ("says.txt", "said.txt", 1)
    assert (counted["a_words"], counted["a_identical"], counted["b_words"]) == (count + 8, count, count + 3)
    assert counted["a_identical_share"] == pytest.approx(count / (count + 8))
    table = find_reuse([(name, Path(name).read_text("utf-8")) for name in ("said.txt", "says.txt")]).document_pairs
    assert {name[2:] for name in counted if name[:2] in ("a_", "b_")} == {
        name[2:] for name in table.column_names if name[:2] in ("a_", "b_")
    }
    (of_pairs,) = lines_of(run("align", "--documents", "both.jsonl", "--pairs", "pair.jsonl", "--shares"))
    assert (of_pairs.pop("suspicious"), of_pairs.pop("source")) == ("says", "said")
    assert of_pairs == {name: value for name, value in counted.items() if name not in "ab"}
    assert run("index", "said.txt", "-o", "said.ibidem", "--min-length", "8").exit_code == 0
    (of_index,) = lines_of(run("align", "--index", "said.ibidem", "says.txt", "--shares"))
    assert of_index == counted
    assert "ask for one of them" in run("align", "says.txt", "said.txt", "--shares", "--units", "line").stderr


@pytest.mark.usefixtures("quoting")
def test_quotations_are_listed_and_count_apart(run: Run) -> None:
    (counted,) = lines_of(run("align", "says.txt", "said.txt", "--shares", "--quotations", "5"))
    (quotation,) = counted["a_quotations"]
    assert Path("says.txt").read_text("utf-8")[quotation["start"] : quotation["end"]] == SAID
    assert quotation["words"] == quotation["quoted"] == counted["a_quoted"] == len(SAID.split())
    assert (counted["a_words"], counted["a_identical"]) == (8 + len(SAID.split()), 0)
    assert "b_quotations" not in counted


@pytest.mark.usefixtures("quoting", "at_a_terminal")
def test_a_reader_is_told_how_many_words_are_shared_and_quoted(run: Run) -> None:
    count = len(SAID.split())
    shown = " ".join(run("align", "says.txt", "said.txt").stdout.split())
    assert f"says.txt: {count} of {count + 8} words (69 %) are in said.txt, too, in runs of five or more" in shown
    assert "similarity" in shown
    shown = " ".join(run("align", "says.txt", "said.txt", "--shares", "--quotations", "5").stdout.split())
    assert f"says.txt quotes {count} of {count} words from said.txt: the whole street" in shown
    assert "similarity" not in shown
