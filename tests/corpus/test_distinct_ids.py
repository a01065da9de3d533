"""The first id that occurs again is found."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.distinct_ids import find_repeated_id
from ibidem.hashing import hash_strings


def find_plainly(ids: list[str]) -> tuple[int, int] | None:
    first: dict[str, int] = {}
    for number, name in enumerate(ids):
        if first.setdefault(name, number) != number:
            return first[name], number
    return None


@given(st.lists(st.integers(0, 30).map(str), max_size=20))
def test_two_documents_of_one_id_are_found(ids: list[str]) -> None:
    found = find_repeated_id(hash_strings([name.encode() for name in ids]) if ids else np.zeros((0, 2), np.uint64))
    assert (None if found is None else tuple(found)) == find_plainly(ids)
    if found is not None:
        message = str(found.describe(ids[found.second]))
        assert f"documents {found.first} and {found.second}" in message
