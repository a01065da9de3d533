"""Does a search find what brute force finds, for plagiarised passages as queries?

    python benchmarks/papers/guarantee.py [--quick] [--every N] [--csv FILE]

Every ``every``-th annotated suspicious passage of PAN 2013 that is no summary is searched in an index of the source
documents of all of them. The truth is every passage of 32 to 400 words whose multiset similarity reaches the threshold;
the columns are those of recall.py, which compares the two. *Planted* counts the annotated source passages that reach
the threshold as they stand, found if that very passage is reported.
"""

import tempfile
import warnings
from pathlib import Path

from annotated import Task, pan_search, words
from figure import Report
from recall import LENGTHS, THRESHOLDS, Collection, Query, measure

from ibidem.evaluation import tokens_in


def collection(tasks: list[Task]) -> Collection:
    """The texts and queries of ``tasks``, each token being written as a word."""
    texts: dict[str, str] = {}
    names: dict[bytes, str] = {}
    queries = []
    for task in tasks:
        name = names.setdefault(task.text.tobytes(), f"source-{len(names)}")
        texts[name] = " ".join(words(task.text))
        [(first, stop)] = tokens_in([task.truth], task.starts, task.ends)
        fits = LENGTHS[0] <= stop - first <= LENGTHS[1]
        queries.append(Query(words(task.query), (name, first, stop - 1) if fits else None))
    return Collection(texts, queries)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--every", type=int, default=75, metavar="N", help="take every N-th case of PAN (75)")
    options = report.options()
    warnings.filterwarnings("ignore", "passages similar to this query")  # truth is of the same lengths
    texts = collection(pan_search(options.quick, options.every).tasks)
    thresholds = (0.5, 0.8) if options.quick else THRESHOLDS
    with tempfile.TemporaryDirectory() as folder:
        report.finish(measure(texts, thresholds, Path(folder)))


if __name__ == "__main__":
    main()
