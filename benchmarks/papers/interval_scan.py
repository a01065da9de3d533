"""What does each optimisation of the interval scan save, and how many results does it leave?

    python benchmarks/papers/interval_scan.py [--quick] [--pairs N] [--random] [--csv FILE]

Experiments 3, 4 and 5 of the paper on one permutation hashing (Figures 7 to 9), by the number k of values at a
threshold of 0.4, and by the threshold at k = 64. What the pairs are is said in pairs.py;
with --random, a query has nothing to do with its text. The ways, by the paper's names
without those of the schemes:

- *arb*: Algorithm 3 over windows in which ties of duplicate tokens were broken arbitrarily; all near-duplicates.
- *pos*: the same, ties broken by position.
- *1st*: by position, and of each interval of starts the longest passage alone.
- *seg*: by position, the longest, and ends in a segment tree: production's ``sweep_maximal_passages``.
- *ours*: the same over the windows that meet enough others at some start.

Times are of the thread and the scan alone, a mean of the pairs; all ways are compiled. *results* are compact alignments
for arb and pos, and near-duplicates that lie in no longer one for the others, a mean of the pairs. All ways must have
the same longest near-duplicates: the benchmark checks it.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from figure import FigureReport, Panel, Row
from pairs import SCHEMES, Pair, collided, least_score, pan_pairs
from partitions import token_texts

from baselines.interval_scan import jitted_scan, maximal
from ibidem.sketches.index.collided_windows import WindowSet, keep_meeting
from ibidem.sketches.index.sweep import sweep_maximal_passages

MIDDLE, THETA = 64, 0.4
"""Where the other parameter varies."""

_QUERY, _TEXT = 128, 1500
"""Tokens of a random query and of the text in which it is asked."""

Passages = list[tuple[int, int]]


def longest(windows: WindowSet, least: int) -> Passages:
    return [(int(i), int(j)) for i, j in sweep_maximal_passages(windows, least, (1, 2**30))]


def first(windows: WindowSet, least: int) -> Passages:
    """Passages come by their starts: one that ends no later than one before it lies in that one."""
    found: Passages = []
    for i, j in jitted_scan(windows, least, longest=True, ordered=False):
        if not found or j > found[-1][1]:
            found.append((i, j))
    return found


WAYS: dict[str, Callable[[WindowSet, int], Passages]] = {
    "arb": partial(jitted_scan, longest=False, ordered=False),
    "pos": partial(jitted_scan, longest=False, ordered=False),
    "1st": first,
    "seg": longest,
    "ours": lambda windows, least: longest(keep_meeting(windows, least), least),
}


def random_pairs(quick: bool, count: int = 100) -> list[Pair]:
    """``count`` pairs of 128 tokens and a text of 1,500, each from a random place of another novel, as from OWT."""
    texts = token_texts(quick, "words" if quick else "gpt2")
    drawn = random.Random(201)

    def cut(text: npt.NDArray[np.uint32], length: int) -> npt.NDArray[np.uint32]:
        first = drawn.randrange(max(1, len(text) - length))
        return text[first : first + length]

    chosen = [drawn.sample(texts, 2) for _ in range(4 if quick else count)]
    return [Pair(cut(query, _QUERY), cut(text, _TEXT)) for query, text in chosen]


def measure(pairs: list[Pair], scheme: str, k: int, theta: float, by: str) -> Iterator[Row]:
    seconds, results = dict.fromkeys(WAYS, 0.0), dict.fromkeys(WAYS, 0)
    windows = passing = 0
    for pair in pairs:
        found, _ = collided(pair, scheme, k, theta)
        arbitrary, _ = collided(pair, scheme, k, theta, np.random.default_rng(1))
        least = least_score(k, theta)
        windows += len(found.a)
        if found.counts.sum() < least:
            continue  # the paper's sanitizer: no passage can be reported
        passing += 1
        expected = None
        for way, run in WAYS.items():
            start = time.thread_time()
            passages = run(arbitrary if way == "arb" else found, least)
            seconds[way] += time.thread_time() - start
            results[way] += len(passages)
            expected = maximal(passages) if expected is None else expected
            assert maximal(passages) == expected, way
    for way in WAYS:
        yield {
            "by": by,
            "scheme": scheme,
            "k": k,
            "threshold": theta,
            "pairs": len(pairs),
            "scanned": passing,
            "collided windows": f"{windows / len(pairs):.0f}",
            "way": f"{scheme}, {way}",
            "ms": f"{1e3 * seconds[way] / len(pairs):.4f}",
            "results": f"{results[way] / len(pairs):.2f}",
        }


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--pairs", type=int, default=100, metavar="N", help="how many pairs (100)")
    report.parser.add_argument("--random", action="store_true", help="random queries, in texts of 1,500 tokens")
    options = report.options()
    pairs = (random_pairs if options.random else pan_pairs)(options.quick, options.pairs)
    sketches, thresholds = ((16,), (0.5,)) if options.quick else ((16, 32, 64, 128, 256), (0.2, 0.3, 0.4, 0.5))
    rows: list[Row] = []
    for scheme in SCHEMES:
        list(measure(pairs[:1], scheme, 4, 0.2, ""))  # compiles
        rows += [row for k in sketches for row in measure(pairs, scheme, k, THETA, "k")]
        rows += [row for theta in thresholds for row in measure(pairs, scheme, MIDDLE, theta, "threshold")]
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel("Experiment 3: by position", "k", "ms", "way", _of("k", "arb", "pos")),
        Panel("Experiment 4: results", "k", "results", "way", _of("k", "pos", "1st")),
        Panel("Experiment 4: time", "threshold", "ms", "way", _of("threshold", "pos", "1st"), logarithmic=False),
        Panel("Experiment 5: segment tree", "k", "ms", "way", _of("k", "1st", "seg", "ours")),
    ]


def _of(by: str, *ways: str) -> Callable[[Row], bool]:
    return lambda row: row["by"] == by and str(row["way"]).split(", ")[1] in ways and float(str(row["results"])) > 0


if __name__ == "__main__":
    main()
