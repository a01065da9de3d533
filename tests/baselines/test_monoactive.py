"""MonoActive on the running example: the active keys and the windows of Figure 1."""

from baselines.monoactive import generate_active_keys
from baselines.monoall import monotonic_partitioning

from .running_example import FIGURE_1B, T, drawn, h, n

FIGURE_1E = {
    1: [(2, 8)],
    2: [(1, 1), (3, 3), (5, 5), (6, 6)],
    3: [(9, 9), (10, 10)],
    4: [(2, 4), (4, 7), (7, 8)],
    9: [(2, 2), (4, 4), (7, 7), (8, 8)],
}


def test_figure_1e_the_active_keys_of_the_text() -> None:
    X = generate_active_keys(T, h)
    assert len(X) == 14
    assert {v: sorted(s[:2] for s in X if s.v == v) for v in sorted({s.v for s in X})} == FIGURE_1E


def test_monoactive_gives_the_windows_of_figure_1b() -> None:
    assert sorted(drawn(monotonic_partitioning(generate_active_keys(T, h), n))) == FIGURE_1B
