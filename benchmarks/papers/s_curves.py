"""Do pairs become candidates as often as the S-curve says?

    python benchmarks/papers/s_curves.py [--quick] [--csv FILE]

Pairs of sets of known resemblance are signed under many seeds, and the share that agrees in a band is compared with
``1 - (1 - s^r)^b``. *Off* is the difference in standard deviations of a binomial of so many runs. Signatures are
k-mins, whose places are independent, so that the curve is exact; one permutation with its empty bins filled, on sets
with many more elements than there are bins, and on short ones, where filled places repeat others.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from estimators import Elements, pair
from figure import FigureReport, Panel, Row

from ibidem.agreement.banding import Banding
from ibidem.sketches.densification import OnePermutation
from ibidem.sketches.signatures import KMins

SIMILARITIES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BANDINGS = (Banding(20, 5), Banding(9, 13), Banding(16, 8), Banding(32, 4))
FUNCTIONS = 128
SIGNATURES: dict[str, tuple[int, Callable[[Elements, int], Any]]] = {
    "k-mins": (1_000, lambda elements, seed: KMins.of(elements, FUNCTIONS, seed).values),
    "one permutation": (1_000, lambda elements, seed: OnePermutation.of(elements, FUNCTIONS, seed).signature),
    "one permutation, short": (60, lambda elements, seed: OnePermutation.of(elements, FUNCTIONS, seed).signature),
}


def rows(runs: int) -> Iterator[Row]:
    for name, (together, sign) in SIGNATURES.items():
        for similarity in SIMILARITIES:
            sets = pair(similarity, together)
            agreeing = np.array([sign(sets[0], seed) == sign(sets[1], seed) for seed in range(runs)])
            exact = np.intersect1d(*sets).size / together
            for banding in BANDINGS:
                yield figures(name, banding, exact, agreeing)


def figures(name: str, banding: Banding, similarity: float, agreeing: Any) -> Row:
    """``agreeing`` bool [runs, FUNCTIONS] are the places in which the signatures of a pair agree."""
    bands = agreeing[:, : banding.num_hashes].reshape(-1, banding.bands, banding.rows)
    measured = float(bands.all(axis=2).any(axis=1).mean())
    theory = float(banding.probability(similarity))
    deviation = math.sqrt(theory * (1 - theory) / len(agreeing))
    return {
        "signature": name,
        "bands": banding.bands,
        "rows": banding.rows,
        "resemblance": f"{similarity:.3f}",
        "runs": len(agreeing),
        "theory": f"{theory:.4f}",
        "measured": f"{measured:.4f}",
        "off": f"{(measured - theory) / deviation if deviation else 0:+.1f}",
    }


def main() -> None:
    report = FigureReport(__doc__)
    table = list(rows(20 if report.options().quick else 5_000))
    report.finish_with(table, panels(table))


def _of(bands: int, rows: int) -> Callable[[Row], bool]:
    return lambda row: row["bands"] == bands and row["rows"] == rows


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{b} bands of {r}, {y}", "resemblance", y, "signature", _of(b, r), logarithmic=False)
        for b, r in BANDINGS[:2]
        for y in ("measured", "theory")
    ]


if __name__ == "__main__":
    main()
