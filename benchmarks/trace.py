"""What of planted passages ``ibidem trace`` finds in the outputs of a model, beside tracers that look for exact runs.

An output has 300 words of works that the training texts do not hold. Into most of them a passage of the training texts
is put: as it is, or with every tenth or fifth word replaced by another word of these texts. A passage is found if half
of it lies in spans; a span is right if half of it lies in the passage. Unrelated outputs have no passage.

The rivals run on the same words. ``8-grams`` and ``13-grams`` mark each run of so many words that a training text
holds, and join those that overlap. ``longest match`` takes, by a suffix array, the maximal runs of an output that the
training texts hold, and keeps the least probable by their words, one for every 20 words of the output: the rule of
OLMoTrace (Liu et al., 2025), without what it does at the ends of sentences.

The training texts and the works of the outputs are: 20 novels and 40 others; 1,500 sources of PAN 2013 and 40 novels;
two Chinese classics and two others, character by character. Times are processor time of one thread for an output.
"""

import random
import re
import tempfile
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import generated, rows_of
from report import Report, Row

from ibidem import Document, PassageIndex
from ibidem.text import Texts, make_tokenizer
from ibidem.tracing.tracer import Tracer

LENGTHS = 20, 30, 50, 100, 200
KINDS = {"verbatim": 0, "every 10th": 10, "every 5th": 5}
OUTPUT_WORDS = 300
PIECE_WORDS = 1000

_SHORT = 24
"""Tokens by which suffixes are compared first."""

Ids = npt.NDArray[np.uint32]
Spans = list[tuple[int, int]]


class Corpus(NamedTuple):
    """Training texts and works of others, as words; what joins words."""

    name: str
    training: list[list[str]]
    others: list[list[str]]
    joint: str = " "


class Output(NamedTuple):
    """An output, what was put into it, and where in code points; of an unrelated one both are empty."""

    kind: str
    length: int
    text: str
    start: int
    end: int


def corpora(quick: bool) -> list[Corpus]:
    if quick:
        words = [text.split() for _, text in generated(8, 3_000)]
        return [Corpus("generated", words[:4], words[4:])]
    novels = [row["text"].split() for row in rows_of("novels-en")]
    sources = [row["text"].split() for row in rows_of("pan13-train-documents") if row["role"] == "src"]
    classics = [re.findall(r"\S", row["text"]) for row in rows_of("classics-zh")]
    return [
        Corpus("novels", novels[:20], novels[60:]),
        Corpus("PAN sources", [words for words in sources if len(words) > 300][:1500], novels[60:]),
        Corpus("Chinese", classics[:2], classics[2:], ""),
    ]


def make_outputs(corpus: Corpus, count: int, unrelated: int) -> list[Output]:
    drawn = random.Random(1)
    made = [_make(corpus, kind, length, drawn) for kind in KINDS for length in LENGTHS for _ in range(count)]
    return made + [_make(corpus, "unrelated", 0, drawn) for _ in range(unrelated)]


def _make(corpus: Corpus, kind: str, length: int, drawn: random.Random) -> Output:
    work = drawn.choice([words for words in corpus.others if len(words) > 2 * OUTPUT_WORDS])
    first = drawn.randrange(len(work) - OUTPUT_WORDS)
    words = work[first : first + OUTPUT_WORDS - length]
    passage = []
    if length:
        source = drawn.choice([words for words in corpus.training if len(words) > length])
        begin = drawn.randrange(len(source) - length)
        passage, step = source[begin : begin + length], KINDS[kind]
        for place in range(step // 2, length, step) if step else ():
            passage[place] = drawn.choice(drawn.choice(corpus.training))
    place, joint = drawn.randrange(len(words)), corpus.joint
    before, within = joint.join([*words[:place], ""]), joint.join(passage)
    return Output(
        kind, length, joint.join([*words[:place], *passage, *words[place:]]), len(before), len(before) + len(within)
    )


class Grams:
    """Marks runs of ``n`` words of the training texts."""

    def __init__(self, training: Sequence[Ids], n: int) -> None:
        self._n = n
        self._known = np.unique(np.concatenate([_hash_grams(ids, n) for ids in training]))

    def find(self, ids: Ids) -> Spans:
        hashes = _hash_grams(ids, self._n)
        nearest = np.minimum(np.searchsorted(self._known, hashes), len(self._known) - 1)
        places = np.flatnonzero(self._known[nearest] == hashes)
        marked = np.zeros(len(ids) + 1, np.bool_)
        for place in places.tolist():
            marked[place : place + self._n] = True
        edges = np.flatnonzero(np.diff(np.concatenate(([False], marked)).astype(np.int8)))
        return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def _hash_grams(ids: Ids, n: int) -> npt.NDArray[np.uint64]:
    """A hash value of 64 bits of each ``n`` tokens in a row."""
    count = max(len(ids) - n + 1, 0)
    total = np.zeros(count, np.uint64)
    for k in range(n):
        total = (total ^ ids[k : k + count]) * np.uint64(0x9E3779B97F4A7C15)
        total ^= total >> np.uint64(29)
    return total


class LongestMatch:
    """The maximal runs of an output that the training texts hold, of which the least probable are kept."""

    def __init__(self, training: Sequence[Ids]) -> None:
        ends = [np.array([number], np.int64) + (1 << 32) for number in range(len(training))]  # no output has them
        stream = np.concatenate([part for pair in zip(map(np.int64, training), ends, strict=True) for part in pair])
        self._order, self._stream = _sort_suffixes(stream).tolist(), stream.tolist()
        tokens, counts = np.unique(stream, return_counts=True)
        self._nats = dict(zip(tokens.tolist(), np.log(len(stream) / counts).tolist(), strict=True))

    def find(self, ids: Ids) -> Spans:
        tokens = ids.tolist()
        spans, last = [], 0
        for first in range(len(tokens)):
            end = first + self._longest(tokens[first:])
            if end > max(last, first):
                spans.append((first, end))
                last = end
        spans.sort(key=lambda span: -sum(self._nats[token] for token in tokens[span[0] : span[1]]))
        return sorted(spans[: -(-len(ids) // 20)])

    def _longest(self, tokens: list[int]) -> int:
        """Tokens of the longest beginning of ``tokens`` that the stream holds: that of a neighbour in the order."""
        shared = self._shared_with_neighbours(tokens, _SHORT)
        return shared if shared < _SHORT else self._shared_with_neighbours(tokens, len(tokens))

    def _shared_with_neighbours(self, tokens: list[int], width: int) -> int:
        at = bisect_left(self._order, tokens[:width], key=lambda first: self._stream[first : first + width])
        return max(self._count_shared(tokens, each, width) for each in self._order[max(at - 1, 0) : at + 1])

    def _count_shared(self, tokens: list[int], first: int, width: int) -> int:
        there = self._stream[first : first + min(width, len(tokens))]
        return next((n for n, (a, b) in enumerate(zip(tokens, there, strict=False)) if a != b), len(there))


def _sort_suffixes(stream: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The suffixes in order of their first 512 tokens, by prefix doubling (Manber and Myers, 1993)."""
    rank = np.unique(stream, return_inverse=True)[1].astype(np.int64)
    for step in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        after = np.full(len(rank), -1, np.int64)
        after[:-step] = rank[step:]
        order = np.lexsort((after, rank))
        changed = (np.diff(rank[order]) != 0) | (np.diff(after[order]) != 0)
        rank[order] = np.concatenate(([0], np.cumsum(changed)))
    return order


TRACERS = "ibidem trace", "8-grams", "13-grams", "longest match"


def measure(corpus: Corpus, outputs: list[Output], names: Sequence[str] = TRACERS) -> list[Row]:
    pieces = [words[at : at + PIECE_WORDS] for words in corpus.training for at in range(0, len(words), PIECE_WORDS)]
    texts = [corpus.joint.join(words) for words in pieces]
    tokenizer = make_tokenizer("words")
    training = [tokenizer.encode(Texts.from_strings([text])).ids for text in texts]
    with tempfile.TemporaryDirectory() as folder, PassageIndex.build(f"{folder}/index", texts) as index:
        tracer = Tracer(index, threshold=0.5, min_pair_length=10, verbatim=50, expect=0.1, limit=10)

        def trace(text: str) -> Spans:
            return [(span.start, span.end) for span in tracer.trace_output(Document("output", text)).spans]

        def on_tokens(find: Callable[[Ids], Spans]) -> Callable[[str], Spans]:
            def find_in(text: str) -> Spans:
                tokens = tokenizer.encode(Texts.from_strings([text]), offsets=True)
                assert tokens.starts is not None
                assert tokens.ends is not None
                return [(int(tokens.starts[a]), int(tokens.ends[b - 1])) for a, b in find(tokens.ids)]

            return find_in

        make: dict[str, Callable[[], Callable[[str], Spans]]] = {
            "ibidem trace": lambda: trace,
            "8-grams": lambda: on_tokens(Grams(training, 8).find),
            "13-grams": lambda: on_tokens(Grams(training, 13).find),
            "longest match": lambda: on_tokens(LongestMatch(training).find),
        }
        trace(outputs[0].text)  # compiles
        return [row for name in names for row in _rows(corpus.name, name, make[name](), outputs)]


def _rows(corpus: str, tracer: str, find: Callable[[str], Spans], outputs: list[Output]) -> list[Row]:
    hits: dict[tuple[str, int], list[bool]] = defaultdict(list)
    right = reported = false = unrelated = 0
    start = time.thread_time()
    found = [find(output.text) for output in outputs]
    milliseconds = 1e3 * (time.thread_time() - start) / len(outputs)
    for output, spans in zip(outputs, found, strict=True):
        if not output.length:
            unrelated += 1
            false += len(spans)
            continue
        shared = [max(0, min(end, output.end) - max(begin, output.start)) for begin, end in spans]
        hits[output.kind, output.length].append(_covered(spans, output) >= 0.5)
        reported += len(spans)
        right += sum(2 * part >= end - begin for part, (begin, end) in zip(shared, spans, strict=True))
    rows: list[Row] = []
    for kind in KINDS:
        recalls = {f"{length} words": f"{np.mean(hits[kind, length]):.3f}" for length in LENGTHS}
        whole = {"precision": f"{right / max(reported, 1):.3f}", "false per 100": f"{100 * false / unrelated:.2f}"}
        rows.append(
            {"texts": corpus, "tracer": tracer, "passage": kind, **recalls, **whole, "ms": f"{milliseconds:.2f}"}
        )
    return rows


def _covered(spans: Spans, output: Output) -> float:
    """The share of the passage that lies in spans."""
    marked = np.zeros(output.end - output.start, np.bool_)
    for begin, end in spans:
        marked[max(0, begin - output.start) : max(0, end - output.start)] = True
    return float(marked.mean())


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--count", type=int, default=100, help="outputs of each kind and length")
    report.parser.add_argument("--unrelated", type=int, default=1000, help="outputs without a passage")
    report.parser.add_argument("--texts", help="only these: novels, PAN sources, or Chinese")
    report.parser.add_argument("--tracers", nargs="+", choices=TRACERS, default=TRACERS, help="only these")
    options = report.options()
    count, unrelated = (2, 4) if options.quick else (options.count, options.unrelated)
    rows = []
    for corpus in corpora(options.quick):
        if options.texts in (None, corpus.name):
            rows += measure(corpus, make_outputs(corpus, count, unrelated), options.tracers)
    report.finish(rows)


if __name__ == "__main__":
    main()
