"""``deduplicate_passages`` on planted passages: what goes, what stays in its place, and what is never touched."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import CorpusError
from ibidem.reuse.removal.deduplicate import deduplicate_passages
from ibidem.reuse.removal.result import PassageDeduplication


def words(seed: int, count: int) -> list[str]:
    generator = random.Random(seed)
    return [f"{chr(97 + generator.randrange(26))}{int(3000 ** generator.random())}" for _ in range(count)]


def text_of(*parts: list[str]) -> str:
    return " ".join(word for part in parts for word in part)


LICENCE, STORY = words(1, 60), words(2, 90)


def gone(found: PassageDeduplication) -> list[tuple[str, str]]:
    return [(each.document, each.duplicate_of) for each in found.removed]


def test_a_passage_stays_in_the_first_document_and_goes_from_the_others() -> None:
    texts = {name: text_of(words(10 + n, 80), LICENCE, words(20 + n, 70)) for n, name in enumerate("cab")}
    deduplication = deduplicate_passages(texts.items(), min_length=40)
    assert gone(deduplication) == [("a", "c"), ("b", "c")]
    assert deduplication.edit("c", texts["c"]) == texts["c"]
    assert deduplication.edit("a", texts["a"]) == text_of(words(11, 80), words(21, 70))
    for each in deduplication.removed:
        assert texts[each.document][each.start : each.end].strip() == text_of(LICENCE)
        assert texts["c"][each.of_start : each.of_end] == text_of(LICENCE)
        assert (each.tokens, each.similarity) == (60, 1.0)


@pytest.mark.parametrize(
    ("keep", "kept"), [("longest", "b"), ("max(year)", "a"), ("min(year)", "c"), ("min(size), max(year)", "a")]
)
def test_the_keep_policy_says_where_it_stays(keep: str, kept: str) -> None:
    years = {"c": 1, "a": 3, "b": 2}
    texts: list[dict[str, Any]] = [
        {"id": name, "text": text_of(words(30 + year, 60 + 50 * (name == "b")), LICENCE), "year": year, "size": "1"}
        for name, year in years.items()
    ]
    deduplication = deduplicate_passages(texts, min_length=40, keep=keep)
    assert {each.duplicate_of for each in deduplication.removed} == {kept}
    assert {each.document for each in deduplication.removed} == set("abc") - {kept}


def test_a_near_duplicate_goes_and_what_is_less_similar_stays() -> None:
    near, far = list(STORY), list(STORY)
    near[::15] = words(3, 6)
    far[::3] = words(4, 30)
    given_texts = [("first", text_of(words(5, 50), STORY)), ("near", text_of(near)), ("far", text_of(far))]
    deduplication = deduplicate_passages(given_texts)
    assert gone(deduplication) == [("near", "first")]
    assert 0.8 <= deduplication.removed[0].similarity < 1


def test_what_stands_between_two_duplicates_stays() -> None:
    head, foot = words(6, 55), words(7, 65)
    texts = {name: text_of(head, words(40 + n, 30), foot) for n, name in enumerate("ab")}
    deduplication = deduplicate_passages(texts.items())
    assert deduplication.edit("b", texts["b"]) == text_of(words(41, 30)) + " "


def test_a_passage_that_stands_ten_times_in_one_document_stays_once() -> None:
    text = text_of(*[part for n in range(10) for part in (LICENCE, words(50 + n, 40))])
    deduplication = deduplicate_passages([("litany", text)])
    assert len(deduplication.removed) == 9
    remaining_text = deduplication.edit("litany", text).split()
    assert remaining_text[:60] == LICENCE
    assert 450 <= len(remaining_text) <= 475  # a word or two at an end may be the same by chance


def test_a_text_that_is_one_passage_over_and_over_loses_most_of_it() -> None:
    text = text_of(*[LICENCE] * 16)
    deduplication = deduplicate_passages([("litany", text)])
    assert len(deduplication.edit("litany", text).split()) < 6 * len(LICENCE)


def test_a_passage_in_three_hundred_documents_stays_once() -> None:
    texts = {f"{n:03}": text_of(words(100 + n, 60), LICENCE) for n in range(300)}
    deduplication = deduplicate_passages(texts.items(), keep="longest")
    longest = max(texts, key=lambda name: (len(texts[name]), -int(name)))
    assert {each.duplicate_of for each in deduplication.removed} == {longest}
    assert len(deduplication.removed) == 299


def test_of_a_shorter_and_a_longer_duplicate_all_that_was_there_before_goes() -> None:
    rest = words(8, 70)
    texts = {
        "a": text_of(words(60, 50), LICENCE, words(61, 50)),
        "b": text_of(words(62, 50), LICENCE, rest, words(63, 50)),
        "c": text_of(words(64, 50), LICENCE, rest, words(65, 50)),
    }
    deduplication = deduplicate_passages(texts.items())
    assert gone(deduplication) == [("b", "a"), ("c", "a"), ("c", "b")]
    assert deduplication.edit("c", texts["c"]) == text_of(words(64, 50), words(65, 50))


def test_lines_are_cut_whole_or_not_at_all() -> None:
    lines = [text_of(words(70 + n, 20)) for n in range(6)]
    texts = {"a": "\n".join(lines), "b": "\n".join(["begins " + lines[0], *lines[1:4], "other words", lines[5]])}
    deduplication = deduplicate_passages(texts.items(), boundary="lines", min_length=30)
    assert deduplication.edit("b", texts["b"]) == "\n".join(["begins " + lines[0], "other words", lines[5]])
    assert [each.tokens for each in deduplication.removed] == [60]
    assert not deduplicate_passages(texts.items(), boundary="lines", min_length=70).removed


def test_characters_as_tokens_cut_no_word() -> None:
    story = text_of(STORY)
    texts = {"a": f"x{story}y", "b": f"z{story}q"}
    deduplication = deduplicate_passages(texts.items(), tokenizer="characters", min_length=50)
    (each,) = deduplication.removed
    assert texts["b"][each.start : each.end].split() == STORY[1:-1]


def test_nothing_goes_of_a_collection_without_duplicates() -> None:
    assert not deduplicate_passages([]).removed
    deduplication = deduplicate_passages(
        [("empty", ""), ("dots", "..."), ("one", text_of(LICENCE)), ("two", text_of(STORY))]
    )
    assert (deduplication.removed, deduplication.documents, deduplication.tokens) == ([], 4, 150)
    assert deduplication.to_arrow().num_rows == 0


def test_nothing_depends_on_threads_or_memory() -> None:
    texts = [(f"{n:02}", text_of(words(n, 40), STORY[n % 7 :], words(2 * n, 30), LICENCE)) for n in range(30)]
    one = deduplicate_passages(texts, threads=1)
    assert one.removed
    assert one.removed == deduplicate_passages(texts, threads=3, memory="64M").removed


pieces = st.lists(st.integers(0, 5), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=6), st.sampled_from([0.7, 1.0]))
def test_whatever_goes_resembles_something_that_is_left_whole(token_lists: list[list[int]], threshold: float) -> None:
    paragraphs = [words(200 + n, 12) for n in range(6)]
    texts = {str(n): text_of(*[paragraphs[p] for p in document]) for n, document in enumerate(token_lists)}
    deduplication = deduplicate_passages(texts.items(), min_length=10, threshold=threshold)
    cuts = deduplication.cuts()
    for each in deduplication.removed:
        assert each.similarity >= threshold - 1e-9
        assert each.tokens >= 10
        assert not any(s < each.of_end and each.of_start < e for s, e in cuts.get(each.duplicate_of, []))
        if threshold == 1:
            passage = texts[each.document][each.start : each.end].split()
            assert sorted(passage) == sorted(texts[each.duplicate_of][each.of_start : each.of_end].split())
    for spans in cuts.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    remaining_text = " ".join(deduplication.edit(*each) for each in texts.items())
    assert set(remaining_text.split()) == {word for text in texts.values() for word in text.split()}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 0}, "threshold"),
        ({"min_length": 0}, "min_length is 0"),
        ({"boundary": "pages"}, "boundary is one of words, lines"),
        ({"keep": "best"}, "a keep policy is first"),
        ({"recall": 2}, "recall"),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deduplicate_passages([], **settings)


def test_a_column_that_no_document_has_cannot_choose() -> None:
    with pytest.raises(CorpusError, match="no document has the column 'year'"):
        deduplicate_passages([("a", "some text")], keep="max(year)")


def test_where_all_values_are_null_the_first_by_its_id_stays() -> None:
    records = [{"id": name, "text": text_of(LICENCE), "q": None} for name in "ba"]
    assert set(deduplicate_passages(records, keep="max(q)").cuts()) == {"b"}


def test_an_action_is_one_of_three() -> None:
    deduplication = deduplicate_passages([("a", text_of(LICENCE)), ("b", text_of(LICENCE))])
    assert set(deduplication.edit("b", text_of(LICENCE), "mask")) == {"*", " "}
    assert deduplication.edit("b", text_of(LICENCE), "annotate") == text_of(LICENCE)
    with pytest.raises(ValueError, match="action is one of remove, mask, annotate"):
        deduplication.edit("b", "", "drop")


def draw_words(seed: int, count: int) -> list[str]:
    return [f"w{number}" for number in random.Random(seed).choices(range(3000), k=count)]


def change_word(words: list[str], place: int) -> list[str]:
    return [*words[:place], "changed", *words[place + 1 :]]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (draw_words(1, 60) * 5, 60),
        ([*draw_words(2, 100), *draw_words(1, 60) * 5, *draw_words(3, 100)], 260),
        (draw_words(1, 172) * 3, 172),
        (draw_words(1, 500) * 2, 500),
        ([*draw_words(2, 10), *draw_words(1, 500) * 7, *draw_words(3, 30)], 540),
        (draw_words(1, 20) * 10, 80),  # three at a time are as long as a passage must be
        ([word for number in range(5) for word in change_word(draw_words(1, 60), 7 * number + 3)], 64),
        ([*draw_words(1, 60) * 3, *draw_words(2, 200), *draw_words(1, 60) * 3], 260),
        (["again"] * 1000, 50),
    ],
)
def test_a_passage_that_follows_itself_stays_once(words: list[str], left: int) -> None:
    text = " ".join(words)
    found = deduplicate_passages([("a", text)])
    assert len(found.edit("a", text).split()) == left


def test_a_passage_that_follows_itself_in_a_later_document_goes_whole() -> None:
    passage = draw_words(1, 60)
    once, often = " ".join(passage), " ".join(passage * 5)
    assert deduplicate_passages([("a", once), ("b", often)]).edit("b", often) == ""
    longer = " ".join([*passage * 3, *draw_words(2, 80)])
    found = deduplicate_passages([("a", often), ("b", longer)])
    assert [len(found.edit(name, text).split()) for name, text in (("a", often), ("b", longer))] == [60, 80]
