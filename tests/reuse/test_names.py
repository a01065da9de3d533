"""Ids and the order of the input are no argument of what is found: two documents share what they share."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import find_reuse
from ibidem.reuse import windows
from ibidem.reuse.outputs.result import Reuse

from .quotations import rows, words

_SHARED = [words(300 + number, 45) for number in range(4)]

_Side = tuple[int, int, int]
"""The number of a text, and a place in it."""


@st.composite
def collections(draw: st.DrawFn) -> list[str]:
    """Texts that share whole, changed, repeated and reordered passages; some are alike."""
    texts = []
    for number in range(draw(st.integers(2, 7))):
        parts = [words(10 * number, draw(st.sampled_from([0, 5, 60])))]
        for passage in draw(st.lists(st.sampled_from(_SHARED), min_size=1, max_size=3)):
            parts.append(passage[draw(st.integers(0, 8)) :])
            for place in draw(st.sets(st.integers(0, 30), max_size=12)):
                parts[-1] = [*parts[-1][:place], f"x{draw(st.integers(0, 3))}", *parts[-1][place + 1 :]]
            parts.append(words(10 * number + len(parts), draw(st.sampled_from([0, 4, 40]))))
        texts.append(" ".join(word for part in parts for word in part))
    return texts


def sides_of(reuse: Reuse, numbers: dict[str, int], table: str) -> list[tuple[frozenset[_Side], float, float, str]]:
    """The rows of a table of pairs, by the numbers of the texts, without regard to which side is which."""
    return sorted(
        (
            (
                frozenset((numbers[row[side]], row[f"{side}_start"], row[f"{side}_end"]) for side in "ab"),
                row["similarity"],
                row["evidence"],
                row.get("reason", row["kind"]),
            )
            for row in rows(reuse, table)
        ),
        key=lambda row: (sorted(row[0]), row[1:]),
    )


@settings(max_examples=80, deadline=None)
@given(collections(), st.data())
@pytest.mark.parametrize("within", [False, True])
def test_other_ids_and_another_order_give_the_same_pairs(within: bool, texts: list[str], data: st.DataObject) -> None:
    distinct = list(dict.fromkeys(texts))
    names = [f"d{number}" for number in range(len(distinct))]
    others = data.draw(st.permutations(names))
    order = data.draw(st.permutations(range(len(distinct))))
    reuse = find_reuse(list(zip(names, distinct, strict=True)), within=within)
    second = find_reuse([(others[number], distinct[number]) for number in order], within=within)
    numbers = [{name: number for number, name in enumerate(each)} for each in (names, others)]
    for table in ("pairs", "left_out"):
        assert sides_of(reuse, numbers[0], table) == sides_of(second, numbers[1], table)
    witnesses = [
        sorted(
            (row["cluster"], of[row["document"]], row["start"], row["boilerplate"]) for row in rows(each, "passages")
        )
        for each, of in zip((reuse, second), numbers, strict=True)
    ]
    assert witnesses[0] == witnesses[1]


def test_names_choose_nothing_among_pairs_of_what_stands_in_very_many_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows.BandJoin, "most", 6)
    texts = [" ".join([*words(900 + n, 20 + 7 * n), *_SHARED[n % 2], *words(950 + n, 30)]) for n in range(14)]
    first, second = (
        find_reuse([(f"d{names[number]:02}", text) for number, text in enumerate(texts)], keep_boilerplate=True)
        for names in (list(range(14)), [(5 * n + 3) % 14 for n in range(14)])
    )
    assert first.summary["crowded_groups"] > 0
    numbers = [
        {f"d{name:02}": n for n, name in enumerate(names)}
        for names in (range(14), [(5 * n + 3) % 14 for n in range(14)])
    ]
    for table in ("pairs", "left_out"):
        assert sides_of(first, numbers[0], table) == sides_of(second, numbers[1], table)
