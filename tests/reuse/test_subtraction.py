"""Documents are compared as if frequent text and phrases were not there."""

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import find_reuse
from ibidem.resources import Resources
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.prepared_collection import leave_absent_out
from ibidem.reuse.question import Question
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import explain, find_in, read_collection

from .quotations import rows, words

SHEET = words(700, 50)

COPY = words(701, 200)


def put_in(parts: list[list[str]]) -> str:
    return " ".join(word for part in parts for word in part)


@st.composite
def classes(draw: st.DrawFn) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Answers of a class, up to four of which copy, and where in each the sheet stands."""
    answers, places = {}, {}
    copying = draw(st.sets(st.integers(0, 8), max_size=4))
    for number in range(draw(st.integers(20, 22))):
        own = words(1000 + number, 60)
        if number in copying:
            own[draw(st.integers(0, 60)) : 0] = COPY[: draw(st.integers(20, 200))]
        answers[f"d{number}"], places[f"d{number}"] = own, draw(st.integers(0, len(own)))
    return answers, places


def passages_of(reuse: Reuse, texts: dict[str, str], leave: set[str]) -> list[tuple[Any, ...]]:
    """The pairs, their passages without the words to ``leave`` out."""
    passages = []
    for row in rows(reuse):
        sides = [texts[row[side]][row[f"{side}_start"] : row[f"{side}_end"]].split() for side in "ab"]
        said = [" ".join(word for word in side if word not in leave) for side in sides]
        counted = round(row["similarity"], 9), round(row["evidence"], 6)  # sums of weights in another order
        passages.append((row["a"], row["b"], *said, *counted, row["kind"]))
    return passages


@pytest.mark.filterwarnings("ignore:no pair of passages is reported")
@settings(max_examples=25, deadline=None)
@given(classes())
@pytest.mark.parametrize("as_phrase", [False, True])
def test_a_sheet_changes_nothing_of_what_is_found(
    as_phrase: bool, made: tuple[dict[str, list[str]], dict[str, int]]
) -> None:
    answers, places = made
    sheet = [f"sheet{number}" for number in range(50)]
    plain = {name: " ".join(answer) for name, answer in answers.items()}
    held = {name: put_in([answer[: places[name]], sheet, answer[places[name] :]]) for name, answer in answers.items()}
    if as_phrase:  # one document has it not, so it would be too rare
        held = {name: text if number < 4 else plain[name] for number, (name, text) in enumerate(held.items())}
    phrases = [" ".join(sheet)] if as_phrase else []
    reuse = find_reuse(held.items(), phrases=phrases)
    if max(map(len, plain.values())) == 0:
        return
    assert passages_of(reuse, held, set(sheet)) == passages_of(find_reuse(plain.items()), plain, set())
    reason = "phrase" if as_phrase else "frequent"
    assert reuse.summary["left_out_by_reason"].get(reason) == sum("sheet0" in text for text in held.values()) - 1


def test_frequent_text_is_reported_once_with_its_places() -> None:
    texts = {f"d{number}": put_in([words(number, 100), SHEET, words(50 + number, 90)]) for number in range(24)}
    reuse = find_reuse(texts.items(), texts=True)
    assert not rows(reuse)
    [cluster] = rows(reuse, "clusters")
    assert (cluster["documents"], cluster["boilerplate"]) == (24, "frequent")
    passages = rows(reuse, "passages")
    assert {row["text"] for row in passages} == {" ".join(SHEET)}
    assert [row["document"] for row in passages] == sorted(texts)


@pytest.mark.parametrize("holders", [4, 5, 9])
def test_what_all_of_a_few_documents_hold_links_each_two_of_them(holders: int) -> None:
    reuse = find_reuse([put_in([words(number, 60), COPY, words(50 + number, 60)]) for number in range(holders)])
    assert reuse.document_pairs.num_rows == holders * (holders - 1) // 2
    [cluster] = rows(reuse, "clusters")
    assert (cluster["documents"], cluster["boilerplate"]) == (holders, None)


@pytest.mark.parametrize(("length", "count"), [(3, 30), (8, 30), (12, 300)])
def test_equal_documents_that_are_too_short_for_shingles_are_taken_out_once(length: int, count: int) -> None:
    copies = [(f"c{number:03}", " ".join(words(40, length))) for number in range(count)]
    others = [(f"o{number:03}", put_in([words(100 + number, 60)])) for number in range(30)]
    reuse = find_reuse([*copies, *others])
    assert {(row["size"], row["boilerplate"]) for row in rows(reuse, "clusters")} == {(count, None)}
    partners = {row["pairs"] for row in rows(reuse, "documents") if row["document"][0] == "c"}
    assert partners == {29 if count == 30 else 216}
    assert {row["reused"] for row in rows(reuse, "documents") if row["document"][0] == "c"} == {1.0}
    assert reuse.summary["candidates"] < 1_000


@pytest.mark.filterwarnings("ignore:no pair of passages is reported")
def test_equal_documents_of_a_word_or_two_are_no_reuse() -> None:
    reuse = find_reuse([(f"{number}", "very well") for number in range(40)])
    assert (reuse.pairs.num_rows, reuse.clusters.num_rows) == (0, 0)


def test_what_all_of_one_side_copied_links_each_with_the_other_side() -> None:
    copies = {f"essay {number:02}": put_in([words(number, 60), COPY, words(50 + number, 60)]) for number in range(25)}
    reuse = find_reuse(copies.items(), against=[("source", put_in([words(90, 80), COPY, words(91, 80)]))])
    assert [(row["a"], row["b"]) for row in rows(reuse)] == [(name, "source") for name in copies]


def test_the_boilerplate_of_a_document_is_its_frequent_text_and_phrases(tmp_path: Path) -> None:
    phrase = "yours most truly and for ever"
    texts = {f"d{number:02}": put_in([words(number, 100), SHEET, words(50 + number, 90)]) for number in range(12)}
    texts["d00"] += " " + phrase
    read = read_collection([texts.items()], make_tokenizer("words"), tmp_path, Resources.of("64M", 1, None))
    collection = leave_absent_out(read, Question(phrases=(phrase,)), tmp_path)
    for number, name in enumerate(texts):
        parts = [texts[name][first:last] for first, last in collection.boilerplate(number).tolist()]
        assert parts == ([" ".join(SHEET), phrase] if name == "d00" else [" ".join(SHEET)])


@settings(max_examples=20, deadline=None)
@given(classes(), st.sampled_from([{}, {"phrases": (" ".join(COPY[:30]),)}, {"series": "paper"}, {"within": True}]))
def test_an_explanation_agrees_with_the_run_over_all(
    made: tuple[dict[str, list[str]], dict[str, int]], asked: dict[str, Any]
) -> None:
    answers, places = made
    documents = [
        {"id": name, "text": put_in([answer[: places[name]], SHEET, answer[places[name] :]]), "paper": len(answer) % 3}
        for name, answer in answers.items()
    ]
    question = Question(**asked)
    pair = random.Random(len(documents)).sample(sorted(answers), 2)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        resources = Resources.of("64M", 1, None)
        reuse = find_in([documents], question, Path(one), resources)
        explanation = explain([documents], question, (pair[0], pair[1]), Path(other), resources)
    of_pair = [
        [row for row in rows(reuse, table) if {row["a"], row["b"]} == set(pair)] for table in ("pairs", "left_out")
    ]
    assert explanation.get("pairs", 0) == len(of_pair[0])
    assert sorted(explanation.get("left_out", [])) == sorted(row["reason"] for row in of_pair[1])
