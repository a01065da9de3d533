"""What does each optimisation of the plane sweep save?

    python benchmarks/papers/interval_scan.py [--quick] [--csv FILE]

Experiments 3, 4 and 5 of the paper on one permutation hashing, by the number k of bins or functions and the threshold.
A text of novels holds edited copies of a query of 200 words; what is timed is the sweep alone, over all windows of the
text that have the query's keys (multisets, passages of 32 to 1024 tokens). All ways are compiled:

- *Algorithm 3*: both scans of the paper, for all near-duplicates.
- *ordered*: ends that do not pass the furthest so far are left out.
- *longest*: of each interval of starts, the scan over ends stops at the longest passage.
- *both* of these.
- *tree*: both, and the ends in a segment tree: ``sweep_maximal_passages``.
- *tree, meeting*: the same over the windows that meet enough others at some start: production's way to the longest.
- *meeting*: Algorithm 3 over these windows.
- *all, tree* and *all, tree, meeting*: ``sweep_rectangles``, all near-duplicates with their scores.

Times are of the thread, the best of some runs. All ways must give the same longest near-duplicates, of ``all`` the last
passages of whose rectangles are the longest from some start; the benchmark checks it, and ``near`` counts them.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
from figure import FigureReport, Panel, Row, documents, timed, word_tokens

from ibidem.baselines.interval_scan import jitted_scan, maximal
from ibidem.passages.query.sketch_query import SketchQuery
from ibidem.passages.schemes.sketched import SCHEMES
from ibidem.passages.search.collision_sweep import sweep_maximal_passages, sweep_rectangles
from ibidem.passages.search.collision_windows import WindowSet, keep_meeting
from ibidem.sketch.families import MultisetFamily
from ibidem.sketch.one_permutation import EMPTY_KEY
from ibidem.text.token_stream import prepare_tokens

LENGTHS = (32, 1024)
WORDS = 200
Tokens = npt.NDArray[np.uint32]


def planted(texts: list[Tokens], quick: bool) -> tuple[Tokens, Tokens]:
    """A text with edited copies of a query in it, and the query."""
    source = random.Random(8)
    size, copies = (2_000, 3) if quick else (100_000, 30)
    host, query = texts[0][:size].copy(), texts[1][500 : 500 + WORDS]
    for number in range(copies):
        place = (number + 1) * size // (copies + 1)
        copy = query.copy()
        for at in source.sample(range(WORDS), WORDS * number // copies):
            copy[at] = source.choice(texts[1])
        host[place : place + WORDS] = copy
    return host, query


def windows_of(name: str, k: int, text: Tokens, query: Tokens) -> tuple[WindowSet, Callable[[float], SketchQuery]]:
    """The windows of ``text`` that have a key of ``query``, and what a threshold asks of them."""
    scheme = SCHEMES[name](MultisetFamily(), k, 5, LENGTHS)
    keys = scheme.sketch(query)
    columns: list[list[npt.NDArray[np.int64]]] = [[] for _ in WindowSet._fields]
    for function, windows in enumerate(scheme.windows(prepare_tokens(text, None, LENGTHS[1]), range(k))):
        held = windows.keys == keys[function]
        a, b, c, d = (column[held].astype(np.int64) for column in windows[1:])
        c = a if keys[function] == EMPTY_KEY else c
        for column, part in zip(columns, (a, b, c, d, np.full(len(a), function)), strict=True):
            column.append(part)
    found = WindowSet(*map(np.concatenate, columns))
    return found, lambda threshold: scheme.query_estimate(query, threshold)


Way = Callable[[WindowSet, int], list[tuple[int, int]]]


def longest(windows: WindowSet, least: int) -> list[tuple[int, int]]:
    return [(int(i), int(j)) for i, j in sweep_maximal_passages(windows, least, (1, 2**30))]


def rectangles(windows: WindowSet, least: int) -> list[tuple[int, int]]:
    """The longest passage of each."""
    found, _ = sweep_rectangles(windows, least, (1, 2**30))
    return list(zip(found[:, 0].tolist(), found[:, 3].tolist(), strict=True))


WAYS: dict[str, Way] = {
    "Algorithm 3": partial(jitted_scan, longest=False, ordered=False),
    "ordered": partial(jitted_scan, longest=False, ordered=True),
    "longest": partial(jitted_scan, longest=True, ordered=False),
    "both": partial(jitted_scan, longest=True, ordered=True),
    "tree": longest,
    "tree, meeting": lambda windows, least: longest(keep_meeting(windows, least), least),
    "meeting": lambda windows, least: jitted_scan(keep_meeting(windows, least), least, longest=False, ordered=False),
    "all, tree": rectangles,
    "all, tree, meeting": lambda windows, least: rectangles(keep_meeting(windows, least), least),
}


def measure(
    name: str, k: int, thresholds: tuple[float, ...], text: Tokens, query: Tokens, repeats: int
) -> Iterator[Row]:
    found, asks = windows_of(name, k, text, query)
    for threshold in thresholds:
        asked = asks(threshold)
        windows = found._replace(counts=asked.worths[found.counts])
        expected = longest(windows, asked.least)
        plain = 0.0
        for way, run in WAYS.items():
            work = partial(run, windows, asked.least)
            assert maximal(work()) == expected, way
            best = timed(work, repeats, time.thread_time).best
            plain = plain or best
            yield {
                "scheme": name,
                "k": k,
                "threshold": threshold,
                "windows": len(windows.a),
                "near": len(expected),
                "way": way,
                "ms": f"{1e3 * best:.3f}",
                "times faster": f"{plain / best:.1f}",
            }


def main() -> None:
    report = FigureReport(__doc__)
    options = report.options()
    text, query = planted(word_tokens([text for _, text in documents(options.quick)[:2]]), options.quick)
    sketches, thresholds = ((16,), (0.5,)) if options.quick else ((64, 128, 256), (0.2, 0.4, 0.6, 0.8))
    rows = [
        row
        for name in SCHEMES
        for k in sketches
        for row in measure(name, k, thresholds, text, query, 1 if options.quick else 5)
    ]
    panels = [
        Panel(f"{scheme}, k = {sketches[0]}", "threshold", "ms", "way", _of(scheme, sketches[0]), logarithmic=False)
        for scheme in SCHEMES
    ]
    report.finish_with(rows, panels)


def _of(scheme: str, k: int) -> Callable[[Row], bool]:
    return lambda row: row["scheme"] == scheme and row["k"] == k


if __name__ == "__main__":
    main()
