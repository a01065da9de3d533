"""Runs of windows by their least ranks, against a minimum over every window."""

import numpy as np
import pytest

from ibidem.reuse.records.hashing import make_window_records


def least_ranks(tokens: np.ndarray, bounds: np.ndarray, ranks: np.ndarray, window: int) -> dict[int, tuple[int, ...]]:
    """The least rank under each function, of the window at each start."""
    first_tokens = {}
    for begin, end in zip(bounds.tolist(), bounds[1:].tolist(), strict=False):
        size = min(window, end - begin)
        for start in range(begin, end - size + 1 if size else begin):
            first_tokens[start] = tuple(ranks[:, tokens[start : start + size]].min(axis=1).tolist())
    return first_tokens


@pytest.mark.parametrize("window", [1, 7, 32])
def test_texts_longer_than_what_is_hashed_at_once_have_the_runs_of_their_windows(window: int) -> None:
    generator = np.random.default_rng(window)
    bounds = np.array([0, 5000, 5000, 5003, 7051 + window, 9000])
    tokens = (300 ** generator.random(9000)).astype(np.int32)
    ranks = np.stack([generator.permutation(300) for _ in range(3)]).astype(np.int32)
    records = make_window_records(tokens, bounds, ranks, window, 0, len(tokens))
    expected = least_ranks(tokens, bounds, ranks, window)
    runs: list[tuple[int, int, tuple[int, ...]]] = []
    for start, values in expected.items():
        if runs and runs[-1][1:] == (start, values) and start not in bounds:
            runs[-1] = runs[-1][0], start + 1, values
        else:
            runs.append((start, start + 1, values))
    assert [(first, last) for first, last, _ in runs] == list(zip(records.starts, records.ends, strict=True))
    names = {(int(key), values) for key, (_, _, values) in zip(records.keys, runs, strict=True)}
    assert len(names) == len({key for key, _ in names}) == len({values for _, values in names})
