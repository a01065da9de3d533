"""AllAlign cuts more windows than MonoActive, and finds the keys of the smallest hash value."""

from hypothesis import given
from hypothesis import strategies as st

from baselines.allalign import allalign, min_keys
from baselines.brute_force import min_hash
from baselines.monoactive import generate_active_keys
from baselines.monoall import monotonic_partitioning

from .running_example import drawn


def test_allalign_cuts_a_window_that_monoactive_keeps_whole() -> None:
    T = "ABCA"
    h = {("A", 1): 9, ("A", 2): 1, ("B", 1): 3, ("C", 1): 2}
    of_monoactive = drawn(monotonic_partitioning(generate_active_keys(T, h), len(T)))
    of_allalign = drawn(allalign(T, h))
    assert [window for window in of_monoactive if window[0] == 3] == [(3, 1, 2, 2, 2)]
    assert sorted(window for window in of_allalign if window[0] == 3) == [(3, 1, 1, 2, 2), (3, 2, 2, 2, 2)]
    assert (len(of_monoactive), len(of_allalign)) == (6, 7)


@given(T=st.text("ABC", min_size=1, max_size=10), values=st.permutations(range(30)), ends=st.data())
def test_the_least_keys_of_a_passage_hold_its_min_hash_and_no_shorter_passage_in_them_does(
    T: str, values: list[int], ends: st.DataObject
) -> None:
    h = {(t, x): values[10 * number + x - 1] for number, t in enumerate("ABC") for x in range(1, 11)}
    a = ends.draw(st.integers(1, len(T)))
    c = ends.draw(st.integers(a, len(T)))
    expected = min_hash(T[a - 1 : c], h)
    keys = min_keys(T, h, a, c)
    assert keys
    for s in keys:
        assert a <= s.p <= s.q <= c
        assert s.v == min_hash(T[s.p - 1 : s.q], h) == expected
        assert all(min_hash(T[i - 1 : j], h) != expected for i, j in ((s.p + 1, s.q), (s.p, s.q - 1)) if i <= j)
