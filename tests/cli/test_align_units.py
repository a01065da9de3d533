"""align --units: lines, sentences, or the ranges of a column, beside each other."""

import json
from pathlib import Path

import pytest

from .samples import OTHER, PASSAGE, Run, lines_of


@pytest.mark.usefixtures("folder")
def test_sentences_of_two_files_stand_for_each_other(run: Run) -> None:
    found = lines_of(run("align", "letter.txt", "books/ferry.txt", "--units", "sentence"))
    letter, ferry = (Path(name).read_text("utf-8") for name in ("letter.txt", "books/ferry.txt"))
    captain = next(pair for pair in found if "captain" in letter[pair["a_start"] : pair["a_end"]])
    assert "captain" in ferry[captain["b_start"] : captain["b_end"]]
    assert captain["similarity"] == 1
    assert {"a_unit", "b_unit"} < set(captain)


@pytest.mark.usefixtures("folder")
def test_ranges_of_a_column_stand_for_each_other_by_their_labels(run: Run) -> None:
    cut = PASSAGE.index("The captain")
    rows = [
        {"id": "x", "text": PASSAGE, "verses": [[0, cut, "1:1"], [cut, len(PASSAGE), "1:2"]]},
        {
            "id": "y",
            "text": f"{OTHER} {PASSAGE}",
            "verses": [[0, len(OTHER), "I"], [len(OTHER), len(OTHER) + cut, "II"]],
        },
    ]
    Path("texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    Path("some.jsonl").write_text('{"a": "x", "b": "y"}', "utf-8")
    arguments = ("align", "--documents", "texts.jsonl", "--pairs", "some.jsonl", "--units")
    [found] = lines_of(run(*arguments, "verses"))
    assert (found["a"], found["b"], found["a_unit"], found["b_unit"]) == ("x", "y", "1:1", "II")
    assert lines_of(run(*arguments, "sentence"))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("letter.txt", "books/ferry.txt", "--units", "verse"), "no unit is called 'verse'"),
        (("letter.txt", "--index", "books.ibidem", "--units", "line"), "--units are those of two texts"),
    ],
)
def test_what_is_no_unit_is_told(run: Run, arguments: tuple[str, ...], cause: str) -> None:
    result = run("align", *arguments)
    assert result.exit_code == 2
    assert cause in result.stderr
