"""Which documents of a collection are the sources of a text, and what of it stands where in them?

    python benchmarks/align_collection.py [--quick] [--every N] [--summaries] [--csv FILE]

Every tenth suspicious document of the training half of PAN 2013 text alignment is aligned, by one core, with an exact
index of all 3,230 sources. The last row is that; those before take of the likely sources no more than a number, those
with most evidence.

- *candidates*: likely sources of a document, on the average, with each of which it is aligned; *retrieval* is the share
  of the true pairs of a suspicious document and a source that are among them.
- *plagdet* and what it is made of are PAN's measures (Potthast et al., COLING 2010), where the truth of a document is
  the cases of all its pairs, and what is scored is what was reported of pairs that the corpus has a verdict on.
- *unjudged*: passages reported of other pairs. The corpus names two or three sources of a document and does not say
  that it has no more, so these are neither right nor wrong.
- *foreign*: passages reported of as many texts of novels, as long as the suspicious documents, which have nothing to do
  with the sources.
- Milliseconds of the processor for a document: to find its likely sources, and in all.

With --summaries, passages that sum up a whole source are reported, too.
"""

import tempfile
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from collections_of_text import documents
from pan import Corpus, corpus, count_as_pan, quality
from report import Report, Row

from ibidem import PassageIndex
from ibidem.alignment.against_index import learn_from_segments, token_frequencies
from ibidem.alignment.sources.retrieval import likely_sources
from ibidem.evaluation import Case
from ibidem.text import Texts

MOST = (1, 2, 5, 10, 20, 50)
"""Likely sources that a row takes no more of."""


class Result(NamedTuple):
    """Likely sources of a document, most evidence first, what was reported, and the seconds for both."""

    name: str
    sources: list[str]
    found: list[Case]
    seconds: tuple[float, float]


def run(index: PassageIndex, name: str, text: str, summaries: bool) -> Result:
    start = time.thread_time()
    tokens = index.tokenizer.encode(Texts.from_strings([text]), offsets=True)
    likely = likely_sources(
        tokens.ids,
        index.segments,
        token_frequencies(index.segments),
        learn_from_segments(index.segments),
        threshold=0.3,
    )
    seconds = time.thread_time() - start
    start = time.thread_time()
    found = index.align(text, threshold=0.3, name=name, summaries=summaries, threads=1)
    in_all = time.thread_time() - start
    likely.sort(key=lambda source: -source.evidence)
    ids = [source.segment.document_id(source.row) for source in likely]
    cases = count_as_pan([Case.of(msgspec.to_builtins(each)) for each in found], [each.kind for each in found])
    return Result(name, ids, cases, (seconds, in_all))


def row(results: list[Result], given: Corpus, most: int | None) -> Row:
    sources = {each.name: each.sources[:most] for each in results}
    found = [case for each in results for case in each.found if case.source in sources[each.name]]
    truth = [case for case in given.cases if case.suspicious in sources]
    judged = {pair.ids for pair in given.pairs}
    scored = [case for case in found if (case.suspicious, case.source) in judged]
    true = {(case.suspicious, case.source) for case in truth}
    retrieved = sum(source in sources[suspicious] for suspicious, source in true)
    return {
        "at most": most or "",
        "documents": len(results),
        "candidates": f"{np.mean([len(each) for each in sources.values()]):.2f}",
        "retrieval": f"{retrieved / len(true):.4f}",
        **quality(scored, truth),
        "unjudged": len(found) - len(scored),
    }


def measured(results: list[Result], foreign: list[Result]) -> Row:
    """What only the last row has."""
    retrieval, in_all = np.array([each.seconds for each in results]).T * 1e3
    return {
        "foreign": sum(len(each.found) for each in foreign),
        "sources ms": f"{retrieval.mean():.1f}",
        "mean ms": f"{in_all.mean():.1f}",
        "median ms": f"{np.median(in_all):.1f}",
        "p99 ms": f"{np.percentile(in_all, 99):.1f}",
    }


def foreign_texts(quick: bool, lengths: list[int]) -> list[str]:
    """Texts of so many characters, out of the novels one after the other."""
    novels = [text for _, text in documents(quick)]
    taken: dict[int, int] = defaultdict(lambda: 2_000)  # where a novel begins, behind what its publisher says
    texts = []
    for number, length in enumerate(lengths):
        novel = number % len(novels)
        texts.append(novels[novel][taken[novel] :][:length])
        taken[novel] += length
    return texts


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--every", type=int, default=10, metavar="N", help="take every N-th document (10)")
    report.parser.add_argument("--summaries", action="store_true", help="report summaries of sources, too")
    options = report.options()
    given = corpus(options.quick)
    suspicious = list(dict.fromkeys(pair.suspicious for pair in given.pairs))[:: 1 if options.quick else options.every]
    sources = dict.fromkeys(pair.source for pair in given.pairs)
    with tempfile.TemporaryDirectory() as folder:
        index = PassageIndex.build(Path(folder) / "index", ((source, given.texts[source]) for source in sources))
        with index:
            align = partial(run, index, summaries=options.summaries)
            align("warm-up", given.texts[suspicious[0]])
            results = [align(name, given.texts[name]) for name in suspicious]
            texts = foreign_texts(options.quick, [len(given.texts[name]) for name in suspicious])
            foreign = [align("foreign", text) for text in texts]
    last = measured(results, foreign)
    rows = [row(results, given, most) | dict.fromkeys(last, "") for most in MOST]
    report.finish([*rows, row(results, given, None) | last])


if __name__ == "__main__":
    main()
