"""Why two documents were found or not."""

import random
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import plant
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Alignment, align, find_reuse, make_tokenizer
from ibidem.errors import CorpusError
from ibidem.resources import Resources
from ibidem.reuse import explain as explanation_steps
from ibidem.reuse.collection import Comparable
from ibidem.reuse.explain import NO_WINDOWS, find_best_windows
from ibidem.reuse.question import Question
from ibidem.text import Texts
from ibidem.weights import DocumentFrequencies
from tests.reuse.small_collections import explain

PASSAGE = " ".join(f"word{number}" for number in range(70))
DOCUMENTS = [
    {"id": "a", "text": f"It begins here. {PASSAGE}", "paper": "Times"},
    {"id": "b", "text": f"{PASSAGE} and so it ends.", "paper": "Times"},
    {"id": "c", "text": " ".join(f"other{number}" for number in range(90))},
    {"id": "d", "text": "!!!"},
]


def told(tmp_path: Path, a: str, b: str, **options: Any) -> dict[str, Any]:
    tmp_path.mkdir(exist_ok=True)
    return explain([DOCUMENTS], Question(**options), (a, b), tmp_path, Resources.of("64M", 1, None))


def test_a_pair_that_is_found(tmp_path: Path) -> None:
    explanation = told(tmp_path, "b", "a")
    assert (explanation["a"], explanation["b"], explanation["verdict"], explanation["pairs"]) == ("a", "b", "found", 1)
    assert explanation["best_window_similarity"] == 1.0
    assert explanation["probability_to_agree"] == 1.0


@pytest.mark.parametrize(
    ("pair", "options", "verdict"),
    [
        (("a", "c"), {}, "not found: no two windows reach the threshold"),
        (("a", "b"), {"series": "paper"}, "left out: the documents are of one series"),
        (("a", "b"), {"phrases": (PASSAGE,)}, "left out: phrase"),
        (("a", "b"), {"min_pair_length": 72, "threshold": 0.99}, "not found: what is similar is too short"),
        (("a", "d"), {}, "a document has no token"),
        (("a", "a"), {}, "a document is compared with itself only if asked"),
    ],
)
def test_a_pair_that_is_not(pair: tuple[str, str], options: dict[str, Any], verdict: str, tmp_path: Path) -> None:
    assert told(tmp_path, *pair, **options)["verdict"].startswith(verdict)


def test_what_only_an_alignment_of_the_two_finds_is_left_out(tmp_path: Path) -> None:
    """A summary without similar windows, and a passage that is as weak: no search of the collection meets them."""
    for edits, pair in ((0, ("0 03", "1 01")), (5, ("2 00", "2 01"))):
        texts = {
            f"{nth} {id}": text
            for nth in range(16)
            for id, text in plant(random.Random(10 * nth + edits), edits / 10).items()
        }
        folder = tmp_path / str(edits)
        folder.mkdir()
        why = explain([texts.items()], Question(), pair, folder, Resources.of("64M", 1, None))
        assert (why["pairs"], why["left_out"]) == (0, [NO_WINDOWS])
        assert why["verdict"] == "left out: no similar windows; an alignment of these two finds it"


@pytest.mark.parametrize(
    ("edits", "recall", "seed"), [*product([0.0, 0.5, 1.0], [0.99], range(3)), *product([0.3, 0.5], [0.05], range(3))]
)
def test_whatever_align_reports_is_found_or_left_out(edits: float, recall: float, seed: int, tmp_path: Path) -> None:
    """Of each two documents, with passages planted or with none, whatever bands a search has."""
    documents = plant(random.Random(100 * seed + int(10 * edits)), edits)
    reuse = find_reuse(documents.items(), recall=recall)
    all_rows = [row for table in (reuse.pairs, reuse.left_out) for row in table.to_pylist()]
    frequencies = frequencies_of(documents)
    for number, (a, b) in enumerate(combinations(documents, 2)):
        expected = align(documents[a], documents[b], frequencies=frequencies, idf="smooth")
        if not expected and number % 5:
            continue
        pair_rows = [row for row in all_rows if (row["a"], row["b"]) == (a, b)]
        folder = tmp_path / str(number)
        folder.mkdir()
        why = explain([documents.items()], Question(recall=recall), (a, b), folder, Resources.of("64M", 1, None))
        missed_pairs = [each for each in expected if not any(meets(each, row) for row in pair_rows)]
        assert why["left_out"].count(NO_WINDOWS) == len(missed_pairs)
        assert why["pairs"] + len(why["left_out"]) == len(pair_rows) + len(missed_pairs)
        assert (why["verdict"] == "found") is any(row in reuse.pairs.to_pylist() for row in pair_rows)


def frequencies_of(documents: dict[str, str]) -> DocumentFrequencies:
    """How often each word occurs in all documents."""
    ids = make_tokenizer("words").encode(Texts.from_strings(list(documents.values()))).ids
    return DocumentFrequencies(*np.unique(ids, return_counts=True), len(ids))


def meets(each: Alignment, row: dict[str, Any]) -> bool:
    """Whether two results of one kind overlap in both texts."""
    return each.kind == row["kind"] and all(
        getattr(each, f"{side}_start") < row[f"{side}_end"] and row[f"{side}_start"] < getattr(each, f"{side}_end")
        for side in "ab"
    )


def test_what_is_crowded_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    join = Question.join.fget
    monkeypatch.setattr(Question, "join", property(lambda question: join(question)._replace(most=8)))
    generator = random.Random(5)
    common = [f"common{number}" for number in range(60)]
    documents = []
    for number in range(30):  # each changes words of its own, so that no text of many documents is the same
        words = [f"own{number}_{at}" if generator.random() < 0.15 else word for at, word in enumerate(common)]
        documents.append((f"{number:02}", " ".join([*(f"n{number}_{at}" for at in range(80)), *words])))
    reuse = find_reuse(documents)
    reported = {(row["a"], row["b"]) for row in reuse.pairs.to_pylist()}
    others = [
        (f"{a:02}", f"{b:02}") for a in range(30) for b in range(a + 1, 30) if (f"{a:02}", f"{b:02}") not in reported
    ]
    assert reported
    assert others
    assert reuse.summary["crowded_groups"] > 0
    verdicts = set()
    for pair in [*others[::40], *sorted(reported)[:2]]:
        folder = tmp_path / "-".join(pair)
        folder.mkdir()
        why = explain([documents], Question(), pair, folder, Resources.of("64M", 1, None))
        assert (why["verdict"] == "found") is (pair in reported)
        verdicts.add(why["verdict"])
    assert "left out: crowded" in verdicts


def test_an_id_that_no_document_has(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no document has the id 'z'"):
        told(tmp_path, "a", "z")


@settings(max_examples=50)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=12), st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_the_best_windows_are_the_best_of_all(a: list[int], b: list[int]) -> None:
    weights = np.array([0.5, 1.0, 2.0, 0.25, 1.0, 3.0])
    side = np.full(2, -1, np.int32)
    comparable = Comparable.weigh(
        np.array(a + b, np.int32), np.array([0, len(a), len(a) + len(b)]), weights, 4, side, False
    )
    best = max(
        weights[list(x & y)].sum() / weights[list(x | y)].sum()
        for x in (set(a[i : i + 4]) for i in range(max(1, len(a) - 3)))
        for y in (set(b[i : i + 4]) for i in range(max(1, len(b) - 3)))
    )
    assert find_best_windows(comparable, 0, 1, Resources.of("64M", 1, None))[0] == pytest.approx(best)


def test_an_explanation_of_long_documents_is_bounded_and_tells_of_its_progress(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(explanation_steps, "_MOST_STEPS", 1000)
    monkeypatch.setattr(explanation_steps, "_STEPS_AT_A_TIME", 200)
    monkeypatch.setattr(explanation_steps, "_MOST_PLACES", 1000)
    messages: list[tuple[str, int, int | None]] = []
    resources = Resources.of("64M", 1, lambda phase, done, total: messages.append((phase, done, total)))
    tmp_path.mkdir(exist_ok=True)
    why = explain([DOCUMENTS], Question(), ("a", "b"), tmp_path, resources)
    assert (why["verdict"], why["aligned"]) == ("found", False)
    assert 0.5 < why["best_window_similarity"] <= 1.0
    compared = [done for phase, done, _ in messages if phase == "comparing windows"]
    assert len(compared) > 3
    assert compared == sorted(compared)


def test_the_best_windows_of_short_documents_are_looked_for_at_all_starts(tmp_path: Path) -> None:
    assert told(tmp_path, "a", "b")["aligned"]
    assert told(tmp_path / "other", "a", "c")["best_window_similarity"] == 0.0
