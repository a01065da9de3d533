"""How far off are the estimates of each sketch, by its size?

    python benchmarks/papers/estimators.py [--quick] [--csv FILE]

Pairs of sets of 2,000 elements together, of known resemblance, are sketched under many seeds. *Bias* is the mean error
and *error* its root mean square; *theory* is the square root of ``J (1 - J) / n`` for ``n`` independent values, where
``n`` is what the sketch compared on average. *In 95 %* is the share of exact confidence intervals that hold the true
resemblance; those of samples drawn without replacement are wider than they need be. The rows *one permutation, filled*
are the places of densified signatures that agree: with more bins than elements the fill repeats values.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from figure import FigureReport, Panel, Row

from ibidem.intervals import Interval, binomial_interval
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.densification import OnePermutation
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.mod_m import ModM
from ibidem.sketches.signatures import KMins
from ibidem.sketches.size_adaptive import SizeAdaptive

TOGETHER = 2_000
SIMILARITIES = (0.2, 0.5, 0.8, 0.95)
SIZES = (32, 64, 128, 256, 512)
KINDS = {
    "bottom-s": BottomS,
    "MOD_m": ModM,
    "L_i": SizeAdaptive,
    "k-mins": KMins,
    "one permutation": OnePermutation,
    "one permutation, filled": OnePermutation,
}
Elements = npt.NDArray[np.uint64]


def pair(similarity: float, together: int) -> tuple[Elements, Elements]:
    """Two sets of one size, of so many elements together, as near to a resemblance as that allows."""
    alone = round(together * (1 - similarity) / 2)
    elements = np.arange(together, dtype=np.uint64)
    return elements[: together - alone], elements[alone:]


def estimate(name: str, size: int, seed: int, sets: tuple[Elements, Elements]) -> Estimate:
    """MOD_m is given the modulus at which it compares about ``size`` values."""
    parameter = max(1, TOGETHER // size) if name == "MOD_m" else size
    one, other = (KINDS[name].of(each, parameter, seed) for each in sets)
    if name.endswith("filled"):
        return Estimate.of(int(np.count_nonzero(one.signature == other.signature)), size)
    return one.resemblance(other)


def rows(sizes: tuple[int, ...], runs: int) -> Iterator[Row]:
    for name in KINDS:
        for size in sizes:
            for similarity in SIMILARITIES:
                sets = pair(similarity, TOGETHER)
                yield figures(name, size, similarity, [estimate(name, size, seed, sets) for seed in range(runs)])


def figures(name: str, size: int, similarity: float, estimates: list[Estimate]) -> Row:
    errors = np.array([each - similarity for each in estimates])
    compared = float(np.mean([each.sampled for each in estimates]))
    intervals = [interval(round(each * each.sampled), each.sampled) for each in estimates]
    error, theory = math.sqrt(float((errors**2).mean())), math.sqrt(similarity * (1 - similarity) / compared)
    return {
        "sketch": name,
        "size": size,
        "compared": f"{compared:.1f}",
        "resemblance": similarity,
        "runs": len(errors),
        "bias": f"{errors.mean():+.4f}",
        "error": f"{error:.4f}",
        "theory": f"{theory:.4f}",
        "of theory": f"{error / theory:.2f}",
        "in 95 %": f"{np.mean([low <= similarity <= high for low, high in intervals]):.3f}",
    }


@cache
def interval(agreeing: int, sampled: int) -> Interval:
    return binomial_interval(agreeing, sampled, 0.95)


def main() -> None:
    report = FigureReport(__doc__)
    quick = report.options().quick
    table = list(rows((32,), 20) if quick else rows(SIZES, 1000))
    report.finish_with(table, panels(table))


def _of(similarity: float) -> Callable[[Row], bool]:
    return lambda row: row["resemblance"] == similarity


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{y}, J = {J}", "compared", y, "sketch", _of(J)) for y in ("error", "theory") for J in SIMILARITIES[1:3]
    ]


if __name__ == "__main__":
    main()
