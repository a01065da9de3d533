"""How near to the exact similarity are the estimates of k-mins and of one permutation hashing?

    python benchmarks/papers/oph_estimates.py [--quick] [--csv FILE]

Figure 5 of the paper on one permutation hashing: the probability that a pair of similarity J is reported under a
threshold of 0.5. Pairs of sets have a union of 1,000 elements and nearly equal sizes, as in the paper's simulation;
every pair is sketched under many functions. *exact* is what the laws say (binomial for k-mins; the occupied bins, then
the hypergeometric, for one permutation); *bias* and *deviation* are of the estimate. A row with J "all" has, for J
spread evenly over 0 to 1, the shares of false positives and of false negatives among all pairs.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from figure import FigureReport, Panel, Row

from baselines.one_permutation import reach_of
from ibidem.hashing import function_seeds
from ibidem.sketches import kmins, one_permutation
from ibidem.sketches.families import SetFamily
from ibidem.weights import Weighting

UNION = 1_000
THRESHOLD = 0.5
SET = Weighting.of("set")
Tokens = npt.NDArray[np.uint32]


def pair(similarity: float) -> tuple[Tokens, Tokens]:
    """Two sets of so many elements in common."""
    shared = round(similarity * UNION)
    first = shared + (UNION - shared) // 2
    return np.arange(first, dtype=np.uint32), np.r_[:shared, first:UNION].astype(np.uint32)


def estimates(scheme: str, k: int, similarity: float, draws: int) -> npt.NDArray[np.float64]:
    a, b = pair(similarity)
    if scheme == "k-mins":
        seeds = function_seeds(11, k * draws)
        agree = kmins.sketch(SetFamily(), a, seeds) == kmins.sketch(SetFamily(), b, seeds)
        shares: npt.NDArray[np.float64] = agree.reshape(draws, k).mean(axis=1)
        return shares
    sketched = ([one_permutation.sketch(SET, side, seed, k) for side in (a, b)] for seed in function_seeds(12, draws))
    return np.array([one_permutation.estimate(*sketches) for sketches in sketched])


def exact_chance(scheme: str, k: int, similarity: float) -> float:
    """The chance that the estimate reaches the threshold."""
    if scheme == "k-mins":
        least_agreeing = math.ceil(k * THRESHOLD)
        return sum(math.comb(k, m) * similarity**m * (1 - similarity) ** (k - m) for m in range(least_agreeing, k + 1))
    least = math.floor(THRESHOLD * one_permutation.UNIT) * k
    return reach_of(k, UNION, round(similarity * UNION), least, THRESHOLD)


def measure(scheme: str, k: int, similarities: list[float], draws: int) -> Iterator[Row]:
    chances = []
    for similarity in similarities:
        found = estimates(scheme, k, similarity, draws)
        chances.append(exact_chance(scheme, k, similarity))
        yield {
            "scheme": scheme,
            "k": k,
            "J": f"{similarity:.2f}",
            "reported": f"{(found >= THRESHOLD - 1e-12).mean():.4f}",
            "exact": f"{chances[-1]:.4f}",
            "bias": f"{found.mean() - similarity:+.4f}",
            "deviation": f"{found.std():.4f}",
            "false positives": "",
            "false negatives": "",
        }
    grid = np.linspace(0, 1, 201)
    reported = np.array([exact_chance(scheme, k, each) for each in grid])
    yield {
        "scheme": scheme,
        "k": k,
        "J": "all",
        "reported": "",
        "exact": "",
        "bias": "",
        "deviation": "",
        "false positives": f"{np.where(grid < THRESHOLD, reported, 0).mean():.4f}",
        "false negatives": f"{np.where(grid >= THRESHOLD, 1 - reported, 0).mean():.4f}",
    }


def main() -> None:
    report = FigureReport(__doc__)
    options = report.options()
    ks, draws = ((16,), 20) if options.quick else ((16, 64, 256), 400)
    similarities = [0.5] if options.quick else [0.1, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.9]
    rows = [
        row for k in ks for scheme in ("k-mins", "one permutation") for row in measure(scheme, k, similarities, draws)
    ]
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"k = {k}", "J", "reported", "scheme", lambda row, k=k: row["k"] == k, logarithmic=False)
        for k in dict.fromkeys(row["k"] for row in rows)
    ]


if __name__ == "__main__":
    main()
