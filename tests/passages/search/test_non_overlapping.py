"""The best passages share no token, and nothing that is similar by itself is lost for it."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.search import non_overlapping
from ibidem.passages.search.non_overlapping import select_non_overlapping
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.weights import IDF, TF, DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies([0, 1, 2, 3, 4, 5], [10, 1, 3, 3, 9, 10], 10)
WEIGHTINGS = [Weighting.of("set"), Weighting.of("multiset")]
WEIGHTINGS += [Weighting(tf, idf, FREQUENCIES) for tf in TF for idf in IDF]


def measure_exactly(passage, asked, weighting):
    """The weighted Jaccard similarity, summed in fractions: no rounding makes equal passages differ."""
    one, other = Counter(passage), Counter(asked)
    tokens = sorted({*one, *other})
    table = [Fraction(weight) for weight in weighting.tf_table(len(passage) + len(asked)).tolist()]
    idf = [Fraction(weight) for weight in weighting.idf_of(np.array(tokens, np.uint32)).tolist()]
    pairs = [
        (table[one[token]] * weight, table[other[token]] * weight) for token, weight in zip(tokens, idf, strict=True)
    ]
    union = sum(max(pair) for pair in pairs)
    return round(float(sum(min(pair) for pair in pairs) / union), 12) if union else 0.0


def similar_passages(text, asked, weighting, threshold):
    """The similarity of each passage, first and last token, that reaches the threshold."""
    passages = ((i, j) for i in range(len(text)) for j in range(i, len(text)))
    found = {(i, j): measure_exactly(text[i : j + 1], asked, weighting) for i, j in passages}
    return {passage: similarity for passage, similarity in found.items() if similarity >= threshold}


def best_in_turn(similarity):
    """The most similar passage, the most similar of those that share no token with it, and so on."""
    chosen = []
    for i, j in sorted(similarity, key=lambda passage: (-similarity[passage], passage[0] - passage[1], passage[0])):
        if all(j < first or last < i for first, last in chosen):
            chosen.append((i, j))
    return sorted(chosen)


def found_by_areas(text, asked, weighting, threshold):
    tokens = np.array(text, np.uint32)
    query, n = Query.of(np.array(asked, np.uint32), weighting), len(text)

    plan = plan_search(query, weighting, SearchOptions(threshold=threshold), (1, n))
    areas = verify_candidates(tokens, CandidateRanges(np.array([[0, n]]), np.array([n]), np.array([0])), plan)
    passages, scores = select_non_overlapping(tokens, areas, plan, len(areas.scores), np.zeros(1, np.uint8))
    assert len(scores) == len(passages)
    return [tuple(passage) for passage in passages.tolist()]


@given(
    text=st.lists(st.integers(0, 5), min_size=1, max_size=24),
    asked=st.lists(st.integers(0, 4), min_size=1, max_size=8),
    weighting=st.sampled_from(WEIGHTINGS),
    threshold=st.sampled_from([0.2, 0.3, 0.5, 0.7]),
)
@example([1, 2, 3, 4, 1, 2, 3, 0, 4], [1, 2, 3, 4], Weighting.of("multiset"), 0.5)
def test_passages_are_chosen_in_turn_by_definition_and_of_equals_the_longer(text, asked, weighting, threshold):
    if not (weighting.idf_of(np.array(asked, np.uint32)) > 0).any():
        return
    assert found_by_areas(text, asked, weighting, threshold) == best_in_turn(
        similar_passages(text, asked, weighting, threshold)
    )


TEXT = "sing goddess the anger of achilles son of peleus that brought countless ills upon the achaeans"


def test_a_copy_that_follows_another_is_reported_too(tmp_path):
    """All from the start of the one to the end of the other is one region."""
    first, second = TEXT, TEXT.replace("the ", "", 1)
    text = [("iliad", f"{first} {second}")]
    with PassageIndex.build(tmp_path / "index", text, min_length=8) as index:
        assert [match.text for match in index.search(TEXT, threshold=0.6)] == [first, second]


def test_what_is_similar_only_for_a_part_of_a_better_passage_is_not_reported(tmp_path):
    """Words that the query has stand before its copy, too few of them to be similar without it."""
    text = f"upon the ills that he spoke {TEXT}"
    with PassageIndex.build(tmp_path / "index", [("iliad", text)], min_length=4) as index:
        assert len(index.search(TEXT, threshold=0.3, select="all")) > 1
        assert [match.text for match in index.search(TEXT, threshold=0.3)] == [TEXT]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), min_size=1, max_size=12))
def test_each_area_lies_in_its_range_and_ranges_hold_nothing_else(areas):
    starts = np.array([[start, start] for start, _ in sorted(areas)])
    ends = np.array([[start, start + length] for start, length in sorted(areas)])
    ranges, rows = non_overlapping._cover_areas(starts, ends)
    covered = {
        token
        for first, last in zip(starts[:, 0].tolist(), ends[:, 1].tolist(), strict=True)
        for token in range(first, last + 1)
    }
    assert {token for first, stop in ranges.tolist() for token in range(first, stop)} == covered
    assert (ranges[1:, 0] >= ranges[:-1, 1]).all()
    assert (ranges[rows, 0] <= starts[:, 0]).all()
    assert (ends[:, 1] < ranges[rows, 1]).all()
