"""What does it save to leave out the keys that cannot matter for the shortest passage?

    python benchmarks/pruning.py [--quick] [--csv FILE]

The production sweep, over the keys that matter, against the plain sweep over every key, on the word tokens of real
novels as building takes them: a block of texts, 64 functions, one thread. Both are given the active values; what these
take is in a column of its own. The windows of both are compared, and the run ends where they differ. The texts of one
and of two words, 100,000 tokens with passages of up to 65,535, are those on which the plain sweep moves the most
segments.

Columns: nanoseconds are for a token and a function, the best of several runs; keys and windows are for a token and a
function; the ratio is the time of the plain sweep over that of the production sweep.
"""

import sys
import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import documents, word_tokens
from report import Report, Row, timed

from baselines import stack_sweep
from ibidem.hashing import function_seeds
from ibidem.sketches.families import FAMILIES, Family
from ibidem.sketches.windows.pruning import find_keys_that_matter
from ibidem.sketches.windows.scanline import scanlines
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

BLOCK_TOKENS = 1 << 18


class Workload(NamedTuple):
    """Texts, and the passages and functions for which their windows are made."""

    name: str
    family: str
    tokens: npt.NDArray[np.uint32]
    bounds: npt.NDArray[np.int64]
    min_length: int
    max_length: int
    functions: int


def family_of(name: str) -> Family:
    weights = {"tf": "logarithmic", "idf": "unary"} if name == "weighted" else {}
    family: Family = FAMILIES[name](Weighting.of(name, **weights))
    return family


def require_the_same(plain: list[Windows], pruned: list[Windows]) -> None:
    for each, other in zip(plain, pruned, strict=True):
        orders = [np.lexsort((windows.d, windows.a, windows.keys)) for windows in (each, other)]
        if not all(np.array_equal(a[orders[0]], b[orders[1]]) for a, b in zip(each, other, strict=True)):
            sys.exit("the windows of the two sweeps differ")


def measure(workload: Workload, repeats: int) -> Row:
    stream = prepare_tokens(workload.tokens, workload.bounds, workload.max_length)
    family, seeds = family_of(workload.family), function_seeds(0, workload.functions)
    functions = [family.active(stream.vocabulary, stream.peaks, seed) for seed in seeds]
    limits = (workload.min_length, workload.max_length)
    plain = [stack_sweep.scanline(stream, values, *limits) for values in functions]
    require_the_same(plain, list(scanlines(stream, functions, *limits)))
    units = 1e-9 * len(stream.ids) * len(functions)
    swept = sum(len(keys.spans) for keys in find_keys_that_matter(stream, functions, *limits))
    active = timed(
        lambda: [family.active(stream.vocabulary, stream.peaks, seed) for seed in seeds], repeats, time.thread_time
    )
    pruned_time = timed(lambda: list(scanlines(stream, functions, *limits)), repeats, time.thread_time)
    plain_time = timed(
        lambda: [stack_sweep.scanline(stream, values, *limits) for values in functions], repeats, time.thread_time
    )
    return {
        "texts": workload.name,
        "tokens": len(stream.ids),
        "family": workload.family,
        "k": workload.functions,
        "min_length": workload.min_length,
        "max_length": workload.max_length,
        "active values ns": round(active.best / units, 2),
        "plain ns": round(plain_time.best / units, 2),
        "pruned ns": round(pruned_time.best / units, 2),
        "ratio": round(plain_time.best / pruned_time.best, 2),
        "keys": round(swept * 1e-9 / units, 3),
        "windows": round(sum(len(windows.keys) for windows in plain) * 1e-9 / units, 3),
    }


def workloads(quick: bool) -> list[Workload]:
    texts = word_tokens([text for _, text in documents(quick)])
    few = texts[: int(np.searchsorted(np.cumsum([len(text) for text in texts]), BLOCK_TOKENS)) + 1]
    tokens, bounds = np.concatenate(few), np.cumsum([0, *map(len, few)])
    shortest, functions, size = ([32], 4, 1_000) if quick else ([1, 8, 16, 32, 64], 64, 100_000)
    found = [
        Workload("novels", family, tokens, bounds, length, 1024, functions)
        for family in ("multiset", "set", "weighted")
        for length in shortest
    ]
    random = np.random.default_rng(1)
    for distinct, name in ((1, "one word"), (2, "two words")):
        words = random.integers(0, distinct, size).astype(np.uint32)
        found.append(Workload(name, "multiset", words, np.array([0, size]), 32, 65_535, 1 if quick else 4))
    return found


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    repeats = 1 if options.quick else 3
    report.finish([measure(workload, repeats) for workload in workloads(options.quick)])


if __name__ == "__main__":
    main()
