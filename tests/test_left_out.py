"""A call says so if everything was left out for one reason."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from ibidem import (
    EvalIndex,
    PassageIndex,
    align,
    decontaminate_files,
    deduplicate,
    deduplicate_passages,
    deduplicate_passages_of_files,
    find_contamination,
    find_reuse,
    find_reuse_in_files,
    trace,
)

SHORT = "the cat sat"
LONG = " ".join(f"w{number}" for number in range(60))
TWO = [("a", LONG), ("b", LONG)]
DOTS = ["...", "?!", ""]
QUESTION = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?"}]
SERIES = [{"id": name, "text": LONG, "paper": "Times"} for name in "ab"]


@pytest.fixture
def index(tmp_path: Path) -> PassageIndex:
    return PassageIndex.build(tmp_path / "index", [("a", LONG)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda _: deduplicate_passages([("a", SHORT), ("b", SHORT)]),
            "the longest has 3 tokens, and min_length is 50",
        ),
        (lambda _: deduplicate_passages(TWO, ignore=[LONG]), "what occurs again is similar to a text to ignore"),
        (lambda _: find_reuse(TWO, ignore=[LONG]), r"2 were found, and all are left out for one reason \(ignored\)"),
        (lambda _: find_reuse(SERIES, series="paper"), r"all are left out for one reason \(series\)"),
        (lambda index: trace([SHORT, ""], index), "no output is long enough: the longest has 3 tokens"),
        (lambda index: trace([LONG], index.build(f"{index.path}-2", DOTS)), "this index holds no token"),
        (lambda index: index.build(f"{index.path}-2", DOTS).search(LONG), "this index holds no token"),
        (lambda index: index.build(f"{index.path}-2", []).search_many([LONG]), "1 query: this index holds no token"),
        (lambda _: find_reuse(DOTS), "no document has a token"),
        (lambda _: find_reuse(TWO, against=DOTS), "no document of one side has a token"),
        (lambda _: find_reuse(DOTS[:2], against=TWO), "no document of one side has a token"),
        (lambda _: find_reuse(TWO, min_pair_length=500), "the longest has 60 tokens, and min_pair_length is 500"),
        (lambda _: deduplicate(DOTS), "no document has a token to compare, so only the same text is a duplicate"),
        (lambda _: align("...", "?!"), "no token is in the first and the second text"),
        (lambda _: align(LONG, ""), "no token is in the second text"),
        (lambda _: align(LONG, LONG, min_pair_length=500), "the longer has 60 tokens, and min_pair_length is 500"),
        (lambda _: find_contamination(DOTS, QUESTION), "no document of the training data has a token"),
        (lambda _: find_contamination(TWO, [{"question": "?"}] * 2), "every item is too short .*: 2 of 2"),
        (lambda _: EvalIndex([{"question": "?"}]).find(TWO), "every item is too short .*: 1 of 1"),
    ],
)
def test_that_everything_was_left_out_is_a_warning(
    call: Callable[[PassageIndex], object], message: str, index: PassageIndex
) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        call(index)
    assert [warning.filename for warning in caught] == [__file__]


def test_there_is_no_warning_where_something_is_found_or_nothing_was_to_be(index: PassageIndex) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        deduplicate_passages([])
        deduplicate_passages(TWO)
        deduplicate_passages([("a", LONG), ("b", SHORT)])
        find_reuse(TWO)
        find_reuse([])
        find_reuse([("a", LONG), ("b", "")])
        deduplicate([])
        deduplicate(["one", "two"])
        deduplicate([SHORT])
        align(LONG, LONG)
        align(SHORT, LONG)
        find_contamination(TWO, QUESTION)
        find_contamination([], QUESTION)
        find_contamination([LONG, "..."], [*QUESTION, {"question": "?"}])
        index.search(LONG)
        find_reuse([("a", LONG), ("b", SHORT)])
        find_reuse([(str(number), LONG) for number in range(30)])  # is reported as a cluster
        trace([], index)
        trace([LONG, SHORT], index)
        trace(["other words that no document has in this order at all, however long"], index)


def test_a_call_for_files_and_the_summary_of_its_result_say_so(tmp_path: Path) -> None:
    (tmp_path / "evals.jsonl").write_text(json.dumps(QUESTION[0]), "utf-8")
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(LONG, "utf-8")
    message = "no document is as long as a passage: the longest has 60 tokens, and min_pair_length is 500"
    with pytest.warns(UserWarning, match=message):
        result = find_reuse_in_files([tmp_path / "a.txt", tmp_path / "b.txt"], tmp_path / "out", min_pair_length=500)
    assert result.summary["note"] == message
    with pytest.warns(UserWarning, match="the longest has 60 tokens, and min_length is 61"):
        deduplicate_passages_of_files(tmp_path / "a.txt", tmp_path / "kept", min_length=61)
    (tmp_path / "dots.txt").write_text("...", "utf-8")
    with pytest.warns(UserWarning, match="no document of the training data has a token"):
        decontaminate_files(tmp_path / "dots.txt", [tmp_path / "evals.jsonl"], tmp_path / "clean")
