"""A search is bounded: in results, in work, in time; and it says what was left out."""

import warnings
from string import ascii_lowercase

import numpy as np
import pytest

from ibidem import PassageIndex
from ibidem.passages.query import execution
from ibidem.passages.search import query_search, verification

WORD = "again "


@pytest.fixture(scope="module")
def poison(tmp_path_factory):
    """A document of one word over and over."""
    with PassageIndex.build(tmp_path_factory.mktemp("poison") / "index", [("one", WORD * 5000)]) as index:
        yield index


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    random = np.random.default_rng(5)
    texts = [" ".join(random.choice(list("abc"), 400)) for _ in range(4)]
    with PassageIndex.build(tmp_path_factory.mktemp("letters") / "index", texts) as index:
        yield index


def quietly(index, text, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return index.search(text, **options)


def test_a_limit_keeps_the_most_similar_and_says_so(letters) -> None:
    query = " ".join("abcab" * 6)
    for select in ("best", "longest", "all"):
        every = letters.search(query, threshold=0.6, select=select, limit=None)
        assert len(every) > 20
        with pytest.warns(UserWarning, match="the 7 most similar are given"):
            some = letters.search(query, threshold=0.6, select=select, limit=7)
        assert len(some) == 7
        if select == "best":
            assert [m.similarity for m in some] == [m.similarity for m in every[:7]]
            assert all(match in every for match in some)


def test_the_best_of_each_document_is_not_cut_by_other_passages_of_it(letters) -> None:
    query = " ".join("abcab" * 6)
    assert len(letters.search(query, threshold=0.6, select="document", limit=4)) == 4


@pytest.mark.parametrize("size", [60, 3000])
def test_one_word_over_and_over_is_searched(poison, size) -> None:
    matches = quietly(poison, WORD * size, threshold=0.6)
    assert matches
    assert all(match.similarity >= 0.6 for match in matches)


def test_passages_of_one_word_lie_end_to_end(poison) -> None:
    matches = poison.search(WORD * 60, threshold=0.9)
    assert len(matches) == 5000 // 60
    assert {match.similarity for match in matches} == {1.0}


def test_a_search_over_its_budget_gives_what_a_higher_threshold_gives(letters, monkeypatch) -> None:
    monkeypatch.setattr(query_search, "_BUDGET_PER_TOKEN", 0.0)
    monkeypatch.setattr(query_search, "_TRY_WORK", 0.0)
    query = " ".join("abcab" * 6)
    for budget in (8e5, 7e5, 5.5e5):
        monkeypatch.setattr(query_search, "_BUDGET", budget)
        matches, statistics = letters.explain(query, threshold=0.1)
        assert "it was searched at 0." in statistics.notes[0]
        assert 0.1 < statistics.threshold < 1.0
        assert matches == letters.search(query, threshold=statistics.threshold, bounded=False)
        assert [m for m in letters.search(query, threshold=0.1, bounded=False, limit=None) if m in matches] == matches


def test_thresholds_are_tried_in_larger_steps_once_half_of_the_budget_is_used(letters, monkeypatch) -> None:
    tried = []

    def search_at(self, query, options):
        tried.append(options.threshold)
        self._execution.charge(200.0)
        raise execution.OverBudgetError

    monkeypatch.setattr(query_search, "_BUDGET_PER_TOKEN", 0.0)
    monkeypatch.setattr(query_search, "_BUDGET", 1000.0)
    monkeypatch.setattr(query_search, "_TRY_WORK", 0.0)
    monkeypatch.setattr(query_search.QuerySearch, "_search_at", search_at)
    with pytest.raises(execution.OverBudgetError):
        letters.search("a b c", threshold=0.1)
    assert tried == [0.1, 0.15, 0.2, 0.4, 0.6, 0.8, 1.0, 1.0]


def test_what_fits_no_threshold_is_not_searched_and_said(letters, monkeypatch) -> None:
    monkeypatch.setattr(query_search, "_BUDGET_PER_TOKEN", 0.0)
    monkeypatch.setattr(query_search, "_TRY_WORK", 0.0)
    monkeypatch.setattr(query_search, "_BUDGET", 1.0)
    with pytest.warns(UserWarning, match="not searched to the end"):
        assert letters.search(" ".join("abcab" * 6)) == []
    assert letters.search(" ".join("abcab" * 6), bounded=False)


def test_of_too_many_equal_passages_a_part_is_given_and_said(poison, monkeypatch) -> None:
    monkeypatch.setattr(query_search, "_BUDGET_PER_TOKEN", 0.0)
    monkeypatch.setattr(query_search, "_TRY_WORK", 0.0)
    monkeypatch.setattr(query_search, "_BUDGET", 1_200_000.0)
    monkeypatch.setattr(verification, "_STARTS_PER_TASK", 100)
    matches, statistics = poison.explain(WORD * 300)
    assert "in a part of the collection alone" in statistics.notes[-1]
    assert 0 < len(matches) < 5000 // 300
    assert {match.similarity for match in matches} == {1.0}


def test_a_long_query_is_searched_whole_at_one_threshold(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(query_search, "_BUDGET_PER_TOKEN", 0.0)
    monkeypatch.setattr(query_search, "_TRY_WORK", 0.0)
    monkeypatch.setattr(query_search, "_BUDGET", 1e7)
    *texts, query = (" ".join(letters) for letters in np.random.default_rng(5).choice(list(ascii_lowercase), (5, 1500)))
    with PassageIndex.build(tmp_path / "index", [*texts, query]) as index:
        matches, statistics = index.explain(query, threshold=0.2)
    assert any("nothing less similar is reported" in note for note in statistics.notes)
    assert matches
    assert statistics.pieces > 10
    assert statistics.pieces_left == 0
    assert min(match.similarity for match in matches) >= statistics.threshold > 0.2


def test_what_was_found_before_the_time_was_over_is_given(tmp_path, monkeypatch) -> None:
    query = "one text of a few words"
    with PassageIndex.build(tmp_path / "index", [query]) as index:
        index.add([("second", query)])
        verify = query_search.verify_starts

        def verify_until_the_end(segment, starts, plan, execution):
            found = verify(segment, starts, plan, execution)
            execution.stop[0] = 1
            return found

        monkeypatch.setattr(query_search, "verify_starts", verify_until_the_end)
        with pytest.warns(UserWarning, match="the time of 5 s was over"):
            assert [match.document for match in index.search(query, timeout=5)] == ["0"]


def test_a_search_whose_time_is_over_gives_what_it_has(letters, monkeypatch) -> None:
    monkeypatch.setattr(query_search.Execution, "deadline", stopped_at_once)
    with pytest.warns(UserWarning, match="the time of 5 s was over"):
        assert letters.search(" ".join("abcab" * 6), timeout=5) == []


def stopped_at_once(execution, seconds):
    execution.stop[0] = 1
    return warnings.catch_warnings()


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"timeout": 0}, {"timeout": -1}, {"timeout": 10**400}])
def test_bounds_that_make_no_sense_are_refused(letters, wrong) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"^{name} must be"):
        letters.search("a b c", **wrong)


def test_a_phrase_is_found_however_short(tmp_path) -> None:
    text = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    with PassageIndex.build(tmp_path / "index", [("blake", text)]) as index:
        assert [match.text for match in index.search("forests of the night", threshold=1.0)] == ["forests of the night"]
        assert [match.text for match in index.search("bright", threshold=1.0)] == ["bright"]
        with pytest.warns(UserWarning, match="shorter ones are not found"):
            assert index.search("bright", min_length=3) == []


def test_a_threshold_near_zero_is_searched(tmp_path) -> None:
    with PassageIndex.build(tmp_path / "index", [("a", "one two three four")]) as index:
        assert index.search("three nine", threshold=1e-320)[0].text == "three"


def test_a_removed_document_does_not_count_in_document_frequencies(tmp_path) -> None:
    texts = [("a", "red green blue"), ("b", "red green"), ("c", "red")]
    with PassageIndex.build(tmp_path / "index", texts) as index, PassageIndex.build(tmp_path / "two", texts[1:]) as two:
        index.remove(["a"])
        found = [each.search("red green", threshold=0.1, idf="smooth") for each in (index, two)]
        assert [match.similarity for match in found[0]] == [match.similarity for match in found[1]]
