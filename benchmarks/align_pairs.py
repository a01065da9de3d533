"""How fast are two texts aligned, by one core, and how much of known plagiarism is found?

    python benchmarks/align_pairs.py [--quick] [--every N] [--threshold T] [--min-pair-length N] [--folds K]
                                     [--csv FILE]

Every tenth pair of the training half of PAN 2013 text alignment is read from the folder that IBIDEM_DATA names.
Precision, recall, granularity and plagdet are PAN's (Potthast et al., COLING 2010): means over reported pairs and over
cases, of the characters of both texts, where a pair that does not overlap a case in both texts counts for nothing.
A summary is one case there, so similar pairs inside one that is reported count as a part of it.
Times are those of the processor, from two strings to the result.

With --folds K, threshold and least length are chosen, of a few, by the plagdet of all but one K-th of the suspicious
documents, and scored on this K-th; the table has the choice and the score of each fold, and their mean.
"""

import time
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from pan import Corpus, Pair, corpus, count_as_pan, generated, quality
from report import Report, Row

from ibidem import align
from ibidem.evaluation import Case, pan_scores

THRESHOLDS, LENGTHS = (0.25, 0.3, 0.35), (30, 40, 50)
"""What --folds chooses from."""


class Result(NamedTuple):
    """What was reported of a pair, and the seconds that it took."""

    pair: Pair
    found: list[Case]
    seconds: float


def run(texts: dict[str, str], pair: Pair, **options: float) -> Result:
    start = time.thread_time()
    found = align(*(texts[id] for id in pair.ids), **options)
    seconds = time.thread_time() - start
    names = {"a": pair.suspicious, "b": pair.source}
    ranges = ("a_start", "a_end", "b_start", "b_end")
    cases = [Case.of(names | {name: getattr(each, name) for name in ranges}) for each in found]
    return Result(pair, count_as_pan(cases, [each.kind for each in found]), seconds)


def reported(results: list[Result], suspicious: Collection[str] | None = None) -> list[Case]:
    """All that was reported, or what was of some documents."""
    return [case for each in results if suspicious is None or each.pair.suspicious in suspicious for case in each.found]


def row(category: str, results: list[Result], cases: list[Case]) -> Row:
    seconds = np.array([each.seconds for each in results])
    times = {"median ms": np.median(seconds) * 1e3, "p99 ms": np.percentile(seconds, 99) * 1e3}
    speed: Row = {"category": category, "pairs": len(results), "pairs/s": f"{1 / seconds.mean():.0f}"}
    pairs = {each.pair.ids for each in results}
    truth = [case for case in cases if (case.suspicious, case.source) in pairs]
    return speed | {name: f"{value:.2f}" for name, value in times.items()} | quality(reported(results), truth)


def cross_validated(given: Corpus, folds: int) -> list[Row]:
    """For each fold of the suspicious texts, the settings that are best on the others, and how good they are on it."""
    suspicious = list(dict.fromkeys(pair.suspicious for pair in given.pairs))
    settings = [(threshold, length) for threshold in THRESHOLDS for length in LENGTHS]
    results = [[run(given.texts, pair, threshold=t, min_pair_length=n) for pair in given.pairs] for t, n in settings]
    rows: list[Row] = []
    for fold in range(folds):
        held_out = set(suspicious[fold::folds])
        others = set(suspicious) - held_out
        inside, outside = ([case for case in given.cases if case.suspicious in part] for part in (held_out, others))
        chosen = max(range(len(settings)), key=lambda x: pan_scores(reported(results[x], others), outside).plagdet)
        number = sum(pair.suspicious in held_out for pair in given.pairs)
        choice = {"fold": fold, "pairs": number, "threshold": settings[chosen][0], "length": settings[chosen][1]}
        rows.append(choice | quality(reported(results[chosen], held_out), inside))
    means = {name: f"{np.mean([float(str(each[name])) for each in rows]):.3f}" for name in list(rows[0])[4:8]}
    sums = {name: sum(int(str(each[name])) for each in rows) for name in ("cases", "reported")}
    return [*rows, {"fold": "mean", "pairs": len(given.pairs), "threshold": "", "length": ""} | means | sums]


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--every", type=int, default=10, metavar="N", help="take every N-th pair of PAN (10)")
    report.parser.add_argument("--threshold", type=float, help="that of align, if not given")
    report.parser.add_argument("--min-pair-length", type=int, metavar="N", help="that of align, if not given")
    report.parser.add_argument("--folds", type=int, metavar="K", help="choose both by cross-validation")
    options = report.options()
    asked = {"threshold": options.threshold, "min_pair_length": options.min_pair_length}
    settings = {name: value for name, value in asked.items() if value is not None}
    warm = generated(3)  # compiles
    for pair in warm.pairs:
        run(warm.texts, pair, **settings)
    given = corpus(options.quick)
    pairs = given.pairs if options.quick else given.pairs[:: options.every]
    chosen = {pair.ids for pair in pairs}
    given = Corpus(given.texts, pairs, [case for case in given.cases if (case.suspicious, case.source) in chosen])
    if options.folds:
        report.finish(cross_validated(given, options.folds))
        return
    results = [run(given.texts, pair, **settings) for pair in pairs]
    rows = [
        row(category, [each for each in results if each.pair.category == category], given.cases)
        for category in sorted({pair.category for pair in pairs})
    ]
    report.finish([*rows, row("all", results, given.cases)])


if __name__ == "__main__":
    main()
