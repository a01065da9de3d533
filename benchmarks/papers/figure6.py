"""What do weights cost? Windows, partition time and query latency under four tf functions.

    python benchmarks/papers/figure6.py [--quick] [--tokens gpt2] [--their-program BUILD] [--sweeps] [--csv FILE]

Figure 6 of the weighted paper: binary, logarithmic, raw and squared term frequency without idf, by the length n of a
text and its maximum token frequency f, under consistent weighted sampling. What is measured is said in partitions.py;
*their* rows are the released program's.

Query ms is the median of ten queries of 100 tokens from other novels, in an index of the texts (64 functions, passages
of 32 to 1,024 tokens) at the threshold 0.8: *verified*, as ibidem searches, and *estimated*, by collisions alone, as
the paper does. The windows of an index are the same, whichever algorithm makes them.

With --sweeps, only queries are timed, as the paper times them (parts e, f, k, l): in one text, with all its passages
(t = 1), by the plane sweep over the windows that collide (collisions.py), at the threshold 0.8.
"""

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from collisions import sweep, time_queries
from figure import FigureReport, Panel, Row
from partitions import Workload, measured, their_rows, token_texts, workloads

from ibidem import SketchIndex
from ibidem.sketches.families import WeightedFamily
from ibidem.weights import Weighting

THEIRS = {"binary": "boolean", "logarithmic": "log", "raw": "raw", "squared": "square"}
QUERIES = 10
QUERY_LENGTH = 100
LONGEST_FOR_QUERIES = 100_000
"""Longer texts are partitioned by scanline alone, and not searched."""
LONGEST_FOR_SWEEPS, THETA = 10_000, 0.8


def text_of(tokens: npt.NDArray[np.uint32]) -> str:
    """A text whose words are these tokens."""
    return " ".join(f"t{token}" for token in tokens.tolist())


def latency(workload: Workload, tf: str, queries: list[str], functions: int) -> str:
    """Median milliseconds of a query."""
    texts = [text_of(tokens) for tokens in workload.texts]
    with (
        tempfile.TemporaryDirectory() as folder,
        SketchIndex.build(Path(folder) / "index", texts, tf=tf, num_hashes=functions) as index,
    ):
        return f"{1e3 * np.median([_seconds(index, query) for query in queries]):.2f}"


def _seconds(index: SketchIndex, query: str) -> float:
    index.search(query, threshold=0.8, select="all")  # warm
    start = time.perf_counter()
    index.search(query, threshold=0.8, select="all")
    return time.perf_counter() - start


def sweep_rows(workload: Workload, queries: list[npt.NDArray[np.uint32]]) -> Iterator[Row]:
    """Milliseconds of a query by the sweep, for each weight, over the windows of MonoActive and of scanline."""
    for tf in THEIRS:
        for name in ("MonoActive", "scanline"):
            (swept,) = time_queries(workload, WeightedFamily(Weighting(tf)), queries, name, THETA, (sweep,))
            yield {"tf": tf} | workload.columns | {"algorithm": name, "sweep ms": f"{swept:.3f}"}


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--their-program", type=Path, metavar="BUILD", help="the released program 'build'")
    report.parser.add_argument("--tokens", choices=["words", "gpt2"], default="words", help="what a token is (words)")
    report.parser.add_argument("--sweeps", action="store_true", help="only queries, swept, of passages of any length")
    options = report.options()
    warnings.filterwarnings("ignore", "passages similar to this query")
    texts = token_texts(options.quick, options.tokens)[::-1]
    asked = [text[:QUERY_LENGTH] for text in texts[: 2 if options.quick else QUERIES]]
    if options.sweeps:
        workloads_of = workloads(options.quick, 64, tokens=options.tokens, longest=LONGEST_FOR_SWEEPS)
        report.finish([row for workload in workloads_of for row in sweep_rows(workload, asked)])
        return
    queries = [text_of(query) for query in asked]
    rows: list[Row] = []
    for workload in workloads(
        options.quick, 64, tokens=options.tokens, longest=100_000 if options.tokens == "gpt2" else 1_000_000
    ):
        short = len(workload.texts[0]) <= LONGEST_FOR_QUERIES
        for tf, their_name in THEIRS.items():
            none = {"query ms": ""}
            times = {"query ms": latency(workload, tf, queries, 8 if options.quick else 64)} if short else none
            family = WeightedFamily(Weighting(tf))
            rows.append({"tf": tf} | measured(workload, family, "scanline") | times)
            if short:
                rows.append({"tf": tf} | measured(workload, family, "MonoActive") | none)
            named = {"MonoActive": ["-B", "monotonic", "-a", "1", "-t", their_name]}
            rows += [{"tf": tf} | row | none for row in their_rows(workload, options.their_program, named)]
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{y} by {by}", by, y, "tf", _of(by), by == "n")
        for by in ("n", "f")
        for y in ("windows", "seconds", "query ms")
    ]


def _of(by: str) -> Callable[[Row], bool]:
    return lambda row: row["by"] == by and row["algorithm"] == "scanline"


if __name__ == "__main__":
    main()
