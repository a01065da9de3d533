"""How much of what is similar does each method find, and how much of what it finds is similar?

    python benchmarks/papers/oph_accuracy.py [--quick] [--pairs N] [--csv FILE]

Experiment 8 of the paper on one permutation hashing (Tables 2 and 3). What the pairs are is said in pairs.py. The truth
is brute force: the tokens of all passages whose exact similarity reaches the threshold. Precision is the share of the
reported tokens that are among them, recall the share of them that are reported; a mean of the pairs in which there are
any, and F1 of both means.

- *k-mins* and *one permutation*: every passage whose estimate reaches the threshold (KMS and OPH-seg).
- *SeedExtension*: clusters of shared tokens, verified.
- *ibidem*: every passage, verified by the kernel that verifies what an index finds; no estimate has a say.
- *Faerie*: a filter in front of brute force. It finds all, too.

ms are of the thread, a mean of the pairs: of the sketched ways the scan over the windows that collide, which an index
would have read, of the others all work on a pair.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
from accuracy import by_brute_force, by_search, by_seed_extension
from annotated import Task
from figure import FigureReport, Panel, Row
from pairs import SCHEMES, Pair, collided, least_score, pan_pairs

from baselines.faerie import jitted_faerie
from ibidem.sketches.index.collided_windows import keep_meeting
from ibidem.sketches.index.sweep import sweep_maximal_passages
from ibidem.weights import Weighting

MIDDLE, THETA = 64, 0.4
SET = Weighting.of("set")
Held = npt.NDArray[np.bool_]
Found = tuple[npt.NDArray[np.int64], float]
"""Passages, first token and the one after the last, and the seconds that they took."""


def task_of(pair: Pair) -> Task:
    nowhere = np.zeros(0, np.uint32)
    return Task(pair.query, pair.text, nowhere, nowhere, (0, 0), "", 0)


def held(passages: npt.NDArray[np.int64], size: int) -> Held:
    """Which of ``size`` tokens lie in a passage."""
    changes = np.zeros(size + 1, np.int64)
    np.add.at(changes, passages[:, 0], 1)
    np.add.at(changes, passages[:, 1], -1)
    return np.cumsum(changes[:-1]) > 0


def timed(work: Callable[[], npt.NDArray[np.int64]]) -> Found:
    start = time.thread_time()
    passages = work()
    return passages, time.thread_time() - start


def by_sketch(scheme: str, k: int) -> Callable[[Pair, float], Found]:
    def find(pair: Pair, theta: float) -> Found:
        windows, _ = collided(pair, scheme, k, theta)
        least = least_score(k, theta)

        def scan() -> npt.NDArray[np.int64]:
            passages = sweep_maximal_passages(keep_meeting(windows, least), least, (1, 2**30))
            return passages + np.array([0, 1])

        return timed(scan)

    return find


def by_clusters(pair: Pair, theta: float) -> Found:
    return timed(lambda: by_seed_extension(task_of(pair), theta).reports["best"])


def by_definition(pair: Pair, theta: float) -> Found:
    return timed(lambda: by_brute_force(SET)(task_of(pair), theta).reports["all"])


def by_verification(pair: Pair, theta: float) -> Found:
    return timed(lambda: by_search(SET)(task_of(pair), theta).reports["all"])


def by_faerie(pair: Pair, theta: float) -> Found:
    return timed(lambda: jitted_faerie(pair.text, pair.query, theta, "set"))


def measured(
    name: str, k: object, theta: float, pairs: list[Pair], truth: list[Held], find: Callable[[Pair, float], Found]
) -> Row:
    precision, recall, seconds = [], [], []
    for pair, right in zip(pairs, truth, strict=False):
        passages, taken = find(pair, theta)
        reported = held(passages, len(pair.text))
        seconds.append(taken)
        if reported.any():
            precision.append((reported & right).sum() / reported.sum())
        if right.any():
            recall.append((reported & right).sum() / right.sum())
    p, r = float(np.mean(precision or [1])), float(np.mean(recall or [1]))
    return {
        "method": name,
        "k": k,
        "threshold": theta,
        "pairs": len(seconds),
        "with passages": len(recall),
        "precision": f"{p:.4f}",
        "recall": f"{r:.4f}",
        "F1": f"{2 * p * r / (p + r) if p + r else 0:.4f}",
        "ms": f"{1e3 * float(np.mean(seconds)):.3f}",
    }


def rows(pairs: list[Pair], ks: Sequence[int], thresholds: Sequence[float], middle: tuple[int, float]) -> Iterator[Row]:
    others = {
        "brute force": by_definition,
        "ibidem": by_verification,
        "SeedExtension": by_clusters,
        "Faerie": by_faerie,
    }
    for find in (*others.values(), *(by_sketch(scheme, 4) for scheme in SCHEMES)):
        find(pairs[0], 0.5)  # compiles
    for theta in thresholds:
        truth = [held(by_definition(pair, theta)[0], len(pair.text)) for pair in pairs]
        for name, find in others.items():
            yield measured(name, "", theta, pairs, truth, find)
        for scheme, k in product(SCHEMES, ks if theta == middle[1] else middle[:1]):
            yield measured(scheme, k, theta, pairs, truth, by_sketch(scheme, k))


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--pairs", type=int, default=100, metavar="N", help="how many pairs (100)")
    options = report.options()
    pairs = pan_pairs(options.quick, options.pairs)
    if options.quick:
        table = list(rows(pairs, (16,), (0.5,), (16, 0.5)))
    else:
        table = list(rows(pairs, (16, 32, MIDDLE, 128, 256), (0.2, 0.3, 0.4, 0.5), (MIDDLE, THETA)))
    report.finish_with(table, panels(table))


def panels(rows: Sequence[Row]) -> list[Panel]:
    by_threshold: Callable[[Row], bool] = lambda row: row["k"] in ("", MIDDLE) and row["method"] != "Faerie"  # noqa: E731
    by_k: Callable[[Row], bool] = lambda row: row["k"] != "" and row["threshold"] == THETA  # noqa: E731
    return [
        *(
            Panel(f"{y}, k = {MIDDLE}", "threshold", y, "method", by_threshold, logarithmic=False)
            for y in ("precision", "recall", "F1")
        ),
        Panel(f"F1 at {THETA}", "k", "F1", "method", by_k),
    ]


if __name__ == "__main__":
    main()
