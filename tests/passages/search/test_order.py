"""Matches come in one order, however their index came about."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Match, PassageIndex, SketchIndex
from ibidem.options import Selection
from ibidem.passages.search.selection import order_passages

QUERY = "the curfew tolls the knell of parting day"
TEXTS = (
    QUERY,
    f"{QUERY} {QUERY}",
    f"a word more {QUERY}",
    "the curfew tolls the knell of a parting day",
    "no word of it",
)
LONG = " ".join(f"{QUERY} number {number} of many" for number in range(12))

pytestmark = pytest.mark.filterwarnings("ignore:more than .* by limit", "ignore:no passage is similar")

documents = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(TEXTS), min_size=2).map(dict.items).map(list)


def search(index: PassageIndex, query: str = QUERY, **options: object) -> list[Match]:
    return list(index.search(query, threshold=0.5, **options))  # type: ignore[arg-type]


def build_by_steps(folder: Path, batches: list[list[tuple[str, str]]]) -> PassageIndex:
    """An index to which documents are added and from which some are removed that were added for that."""
    index = PassageIndex.build(folder, [*batches[0], ("zz", QUERY)], min_length=4, max_length=60)
    for number, batch in enumerate(batches[1:]):
        index.add([(f"aa{number}", QUERY), *batch])
        index.remove([f"aa{number}"])
    index.remove(["zz"])
    return index


@settings(max_examples=25)
@given(documents, st.data())
def test_equal_similarities_come_in_one_order_whatever_the_history_of_an_index(
    collection: list[tuple[str, str]], data: st.DataObject
) -> None:
    other = data.draw(st.permutations(collection))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(other) - 1), max_size=3)))
    batches = [other[low:high] for low, high in zip([0, *cuts], [*cuts, len(other)], strict=True)]
    with TemporaryDirectory() as place:
        folder = Path(place)
        with (
            PassageIndex.build(folder / "once", collection, min_length=4, max_length=60) as once,
            build_by_steps(folder / "steps", batches) as steps,
        ):
            for select in get_args(Selection):
                whole = search(once, select=select, limit=None)
                assert search(steps, select=select, limit=None) == whole
                for limit in (1, 2, 3):
                    assert search(once, select=select, limit=limit) == whole[:limit]
                    assert search(steps, select=select, limit=limit) == whole[:limit]
            assert search(steps, LONG) == search(once, LONG)


def test_equal_estimates_of_sketches_come_in_the_order_of_ids(tmp_path: Path) -> None:
    names = ["b", "c", "a"]
    with SketchIndex.build(tmp_path / "index", [(name, QUERY) for name in names], min_length=4) as index:
        index.add([("B", QUERY)])
        assert [match.document for match in index.search(QUERY, threshold=0.9)] == ["B", "a", "b", "c"]


@given(st.lists(st.tuples(st.sampled_from([0.5, 0.5 + 1e-14, 0.75]), st.integers(0, 3))), st.integers(0, 5) | st.none())
def test_the_first_are_those_of_the_whole_order(rows: list[tuple[float, int]], most: int | None) -> None:
    similarities = [similarity for similarity, _ in rows]
    if most == 0:
        most = 1
    expected = sorted(range(len(rows)), key=lambda row: (-np.round(similarities[row], 9), rows[row][1], row))
    assert order_passages(similarities, lambda row: (rows[row][1], row), most) == expected[:most]


@pytest.mark.parametrize("copies", [1, 40])
def test_of_many_equal_passages_the_first_are_reported(copies: int, tmp_path: Path) -> None:
    names = [f"{number:03}" for number in range(copies)]
    with PassageIndex.build(tmp_path / "index", [(name, QUERY) for name in names[::-1]], min_length=4) as index:
        assert [match.document for match in search(index, limit=5)] == names[:5]
