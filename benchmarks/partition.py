"""How fast is a text partitioned into compact windows, and into how many?

    python benchmarks/partition.py [--quick] [--csv FILE]

scanline, which builds the index, against the papers' MonoAll, MonoActive and AllAlign, compiled too, on the same word
tokens of real novels under the same hash functions; time is that of one thread. Every partition gets its texts one at a
time, prepared (token stream) and hashed (active values) ahead; "in one call" gives all texts to scanline at once, as
building does. What preparing and hashing take is said in rows of their own. MonoAll gets all hash values, the others
active ones; it is run on multisets alone, since a set has no others and a weight repeats them.

Columns: lengths are those of the passages that windows are cut to, which the rivals know nothing of; nanoseconds are
for a token and a function; the ratios say how many times the time, and how many times the windows, of scanline without
limits an algorithm needs.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import documents, word_tokens
from report import Report, Row, timed

from baselines import jitted
from ibidem.hashing import GOLDEN, function_seeds, mix64, spread
from ibidem.kernels import kernel
from ibidem.sketches.families import FAMILIES, ActiveValues, Family
from ibidem.sketches.windows.scanline import UNBOUNDED, scanline
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream, prepare_tokens
from ibidem.weights import DocumentFrequencies, Weighting

LIMITS = (32, 1024)


class Workload(NamedTuple):
    """Texts of one length and the seeds of the hash functions they are partitioned under."""

    family_name: str
    family: Family
    texts: list[npt.NDArray[np.uint32]]
    seeds: npt.NDArray[np.uint64]

    @property
    def units(self) -> int:
        return sum(map(len, self.texts)) * len(self.seeds)


class Contestant(NamedTuple):
    name: str
    lengths: str
    run: Callable[[], list[Windows]]
    repeats: int


class Sizes(NamedTuple):
    """How many texts of a length are partitioned under how many functions."""

    length: int
    texts: int
    functions: int


SIZES = [Sizes(1_000, 100, 8), Sizes(10_000, 20, 8), Sizes(100_000, 4, 4)]
QUICK = [Sizes(1_000, 2, 2)]


@kernel
def _all_values(tokens: Any, frequencies: Any, seed: Any) -> Any:
    """The hash values of a multiset at every frequency, active or not."""
    bounds = np.zeros(tokens.shape[0] + 1, np.int64)
    bounds[1:] = np.cumsum(frequencies)
    x, rank = np.empty(bounds[-1], np.int32), np.empty(bounds[-1], np.uint64)
    for t in range(tokens.shape[0]):
        base = spread(tokens[t], seed)
        for frequency in range(1, frequencies[t] + 1):
            x[bounds[t] + frequency - 1] = frequency
            rank[bounds[t] + frequency - 1] = mix64(base + np.uint64(frequency) * GOLDEN)
    return bounds, x, rank, (rank & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def all_values(stream: TokenStream, seed: np.uint64) -> ActiveValues:
    return ActiveValues(*_all_values(stream.vocabulary, stream.peaks, seed))


def active(workload: Workload, streams: list[TokenStream]) -> list[tuple[TokenStream, ActiveValues]]:
    return [(s, workload.family.active(s.vocabulary, s.peaks, seed)) for s in streams for seed in workload.seeds]


def block_of(texts: list[npt.NDArray[np.uint32]], max_length: int) -> TokenStream:
    """All texts as one stream."""
    return prepare_tokens(np.concatenate(texts), np.cumsum([0, *map(len, texts)]), max_length)


def contestants(workload: Workload, quick: bool) -> Iterator[Contestant]:
    """What to run; scanline without limits, which the others are compared with, comes first."""
    streams = [prepare_tokens(text) for text in workload.texts]
    jobs = active(workload, streams)
    often, seldom = (1, 1) if quick else (7, 3)
    yield Contestant("scanline", "all", lambda: [scanline(*job) for job in jobs], often)
    block = active(workload, [block_of(workload.texts, UNBOUNDED)])
    yield Contestant("scanline, in one call", "all", lambda: [scanline(*job) for job in block], often)
    limited = active(workload, [block_of(workload.texts, LIMITS[1])])
    limits = f"{LIMITS[0]} to {LIMITS[1]}"
    yield Contestant("scanline, in one call", limits, lambda: [scanline(*job, *LIMITS) for job in limited], often)
    yield Contestant("MonoActive", "all", lambda: [jitted.monoactive(*job) for job in jobs], often)
    yield Contestant("AllAlign", "all", lambda: [jitted.allalign(*job) for job in jobs], seldom)
    if workload.family_name == "multiset":
        everything = [(s, all_values(s, seed)) for s in streams for seed in workload.seeds]
        yield Contestant("MonoAll", "all", lambda: [jitted.monoall(*job) for job in everything], 1)


def row(workload: Workload, name: str, lengths: str, times: tuple[float, float], windows: int) -> Row:
    best, median = (1e9 * seconds / workload.units for seconds in times)
    return {
        "family": workload.family_name,
        "tokens": len(workload.texts[0]),
        "texts x functions": f"{len(workload.texts)} x {len(workload.seeds)}",
        "algorithm": name,
        "lengths": lengths,
        "best ns": round(best, 1),
        "median ns": round(median, 1),
        "windows": windows,
        "windows a token": round(windows / workload.units, 3),
    }


def measured(workload: Workload, contestant: Contestant) -> Row:
    windows = sum(len(each.keys) for each in contestant.run())
    times = timed(contestant.run, contestant.repeats, time.thread_time)
    return row(workload, contestant.name, contestant.lengths, times, windows)


def compared(rows: list[Row]) -> list[Row]:
    """``rows`` with their ratios to the first of them."""
    reference = rows[0]
    return [
        each
        | {
            "time ratio": round(float(each["best ns"]) / float(reference["best ns"]), 2),
            "windows ratio": round(int(each["windows"]) / int(reference["windows"]), 4),
        }
        for each in rows
    ]


def preparation(workload: Workload, repeats: int) -> list[Row]:
    """Rows for what is done before any partition; the stream is prepared once for all functions."""
    block = block_of(workload.texts, LIMITS[1])
    stream = timed(lambda: block_of(workload.texts, LIMITS[1]), repeats, time.thread_time)
    a_function = (stream.best * len(workload.seeds), stream.median * len(workload.seeds))
    values = timed(lambda: active(workload, [block]), repeats, time.thread_time)
    lengths = f"{LIMITS[0]} to {LIMITS[1]}"
    return [
        row(workload, "(token stream, once)", lengths, a_function, 0),
        row(workload, "(active values)", lengths, values, 0),
    ]


def measure(workload: Workload, quick: bool) -> list[Row]:
    rows = compared([measured(workload, contestant) for contestant in contestants(workload, quick)])
    ratios = {"time ratio": "", "windows ratio": ""}
    return rows + [each | ratios for each in preparation(workload, 1 if quick else 5)]


def families(texts: list[npt.NDArray[np.uint32]]) -> Iterator[tuple[str, Family]]:
    vocabulary, counts = np.unique(np.concatenate([np.unique(text) for text in texts]), return_counts=True)
    frequencies = DocumentFrequencies(vocabulary, counts.astype(np.uint32), len(texts))
    yield "multiset", FAMILIES["multiset"](Weighting.of("multiset"))
    yield "set", FAMILIES["set"](Weighting.of("set"))
    yield "weighted", FAMILIES["weighted"](Weighting.of("weighted", idf="smooth", frequencies=frequencies))


def cut(texts: list[npt.NDArray[np.uint32]], sizes: Sizes) -> list[npt.NDArray[np.uint32]]:
    """The middle of each of the longest texts; of some more than once if they are too few."""
    chosen = sorted(texts, key=len, reverse=True)
    chosen = (chosen * sizes.texts)[: sizes.texts]
    return [text[(len(text) - sizes.length) // 2 :][: sizes.length] for text in chosen]


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    texts = word_tokens([text for _, text in documents(options.quick)])
    rows = []
    for name, family in families(texts):
        for sizes in QUICK if options.quick else SIZES:
            workload = Workload(name, family, cut(texts, sizes), function_seeds(0, sizes.functions))
            rows += measure(workload, options.quick)
    report.finish(rows)


if __name__ == "__main__":
    main()
