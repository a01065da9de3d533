"""Is everything found that a search promises, and nothing else?

    python benchmarks/recall.py [--quick] [--csv FILE]

Truth is brute force: the exact similarity of the query to every passage, by counts that one token after another is
added to, without any bound or filter. The collection is 10 novels, 2,000 tokens of each, into which edited copies of
passages of other novels are planted (tokens replaced, put in or left out), and chapters of three versions of the
Bible. Queries are the passages before the edits, and runs of words of one version.

Columns: *passages* counts those that reach the threshold, over all queries; *least* is the recall of the query that was
served worst; *places* counts runs of starts of such passages, and a place is found if one of its passages is reported;
*planted* counts the planted copies that reach the threshold, found if that very passage is reported. *Precision* is the
share of the reported passages that reach it.
"""

import random
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import BIBLES, documents, rows_of
from report import Report, Row

from ibidem import Match, PassageIndex
from ibidem.kernels import kernel
from ibidem.text import Texts, make_tokenizer
from ibidem.text.token_stream import number_tokens

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
LENGTHS = (32, 400)
EDITS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
Mask = npt.NDArray[np.bool_]


class Query(NamedTuple):
    """Words to search for, and where the collection holds an edited copy: document, first and last token."""

    words: list[str]
    planted: tuple[str, int, int] | None


class Collection(NamedTuple):
    texts: dict[str, str]
    queries: list[Query]


class Stream(NamedTuple):
    """The tokens of all documents back to back.

    Attributes:
        ids: uint32 [n].
        starts, ends: int64 [n], code points in its document.
        bounds: int64 [D + 1].
        row_of: the place of each document's id.
    """

    ids: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int64]
    row_of: dict[str, int]


def words_of(text: str) -> list[str]:
    """The words of ``text``, as the tokenizer cuts them."""
    tokens = make_tokenizer("words").encode(Texts.from_strings([text]), offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    return [text[start:end] for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)]


def edited(words: list[str], rate: float, others: list[str], source: random.Random) -> list[str]:
    """A copy in which each word is replaced, left out or joined by another, with probability ``rate`` in all."""
    copy: list[str] = []
    for word in words:
        change = source.random() / rate
        if change >= 1:
            copy.append(word)
        elif change < 1 / 3:
            copy.append(source.choice(others))
        elif change < 2 / 3:
            copy += [word, source.choice(others)]
    return copy


def planted(quick: bool, source: random.Random) -> Collection:
    """Stretches of novels with edited passages of other novels in them."""
    length, count = (300, 2) if quick else (2_000, 10)
    texts = [text for _, text in documents(quick)]
    hosts = [words_of(text[len(text) // 2 :][: 12 * length])[:length] for text in texts[:count]]
    guests = [words_of(text[len(text) // 3 :][:60_000]) for text in texts[count:]]
    queries: list[Query] = []
    for number, rate in enumerate(EDITS[::4] if quick else EDITS * 3):
        guest, host = guests[number % len(guests)], hosts[number % count]
        size = source.randrange(60, 160)
        first = source.randrange(len(guest) - size)
        original = guest[first : first + size]
        copy = edited(original, rate, guests[0], source)
        place = len(host)
        host += copy + host[: source.randrange(20, 60)]
        queries.append(Query(original, (f"host-{number % count}", place, place + len(copy) - 1)))
    return Collection({f"host-{i}": " ".join(host) for i, host in enumerate(hosts)}, queries)


def bible(source: random.Random) -> Collection:
    """Some chapters in every version, and runs of words of the King James version as queries."""
    chapters: dict[tuple[str, str], list[str]] = {}
    for row in rows_of(BIBLES):
        chapters.setdefault((f"{row['book']} {row['chapter']}", row["version"]), []).append(row["text"])
    in_all = [name for name, version in chapters if version == "kjv" and (name, "kjv1611") in chapters]
    names = source.sample([name for name in in_all if (name, "web") in chapters], 20)
    texts = {f"{name} {version}": " ".join(verses) for (name, version), verses in chapters.items() if name in names}
    queries = []
    for name in names:
        words = words_of(texts[f"{name} kjv"])
        size = min(len(words), source.randrange(60, 160))
        first = source.randrange(len(words) - size + 1)
        queries.append(Query(words[first : first + size], None))
    return Collection(texts, queries)


def collection(quick: bool) -> Collection:
    source = random.Random(3)
    novels = planted(quick, source)
    if quick:
        return novels
    verses = bible(source)
    return Collection(novels.texts | verses.texts, novels.queries + verses.queries)


def stream_of(texts: dict[str, str]) -> Stream:
    tokens = make_tokenizer("words").encode(Texts.from_strings(list(texts.values())), offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    starts, ends = tokens.starts.astype(np.int64), tokens.ends.astype(np.int64)
    return Stream(tokens.ids, starts, ends, tokens.bounds, {name: row for row, name in enumerate(texts)})


def similarities(stream: Stream, query: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
    """The multiset Jaccard similarity of ``query`` to the passage of each start and length, float64 [n, longest + 1].

    0 for passages that are too short, or that would leave their document.
    """
    ids, vocabulary = number_tokens(np.concatenate((query, stream.ids)))
    wanted = np.bincount(ids[: len(query)], minlength=len(vocabulary))
    found: npt.NDArray[np.float64] = _similarities(ids[len(query) :], stream.bounds, wanted, len(query), *LENGTHS)
    return found


@kernel
def _similarities(ids: Any, bounds: Any, wanted: Any, size: Any, shortest: Any, longest: Any) -> Any:
    found = np.zeros((ids.shape[0], longest + 1), np.float64)
    counts = np.zeros(wanted.shape[0], np.int64)
    for document in range(bounds.shape[0] - 1):
        for i in range(bounds[document], bounds[document + 1]):
            shared, end = 0, min(bounds[document + 1], i + longest)
            for j in range(i, end):
                counts[ids[j]] += 1
                if counts[ids[j]] <= wanted[ids[j]]:
                    shared += 1
                if j - i + 1 >= shortest:
                    found[i, j - i + 1] = shared / (size + j - i + 1 - shared)
            for j in range(i, end):
                counts[ids[j]] = 0
    return found


def reported(stream: Stream, matches: list[Match]) -> Mask:
    """Which passages ``matches`` stand for, by start and length, bool [n, longest + 1]."""
    mask = np.zeros((len(stream.ids), LENGTHS[1] + 1), np.bool_)
    for match in matches:
        first, stop = stream.bounds[stream.row_of[match.document] :][:2]
        assert match.starts is not None
        assert match.ends is not None
        low, high = first + np.searchsorted(stream.starts[first:stop], match.starts)
        shortest, longest = first + np.searchsorted(stream.ends[first:stop], match.ends)
        for i in range(low, high + 1):
            mask[i, shortest - i + 1 : longest - i + 2] = True
    return mask


def places(truth: Mask) -> list[npt.NDArray[np.int64]]:
    """The runs of consecutive starts of passages that reach the threshold."""
    starts = np.flatnonzero(truth.any(axis=1))
    return [run for run in np.split(starts, np.flatnonzero(np.diff(starts) > 1) + 1) if len(run)]


class Tally:
    """Counts over queries for one threshold."""

    def __init__(self) -> None:
        self.passages = self.passages_found = self.reported = self.right = 0
        self.places = self.places_found = self.planted = self.planted_found = 0
        self.least = 1.0

    def add(self, stream: Stream, query: Query, truth: Mask, answer: Mask) -> None:
        both = truth & answer
        passages, right = int(truth.sum()), int(both.sum())
        self.passages += passages
        self.passages_found += right
        self.reported += int(answer.sum())
        self.right += right
        self.least = min(self.least, right / passages if passages else 1.0)
        for place in places(truth):
            self.places += 1
            self.places_found += bool(both[place].any())
        if query.planted:
            document, first, last = query.planted
            passage = (stream.bounds[stream.row_of[document]] + first, last - first + 1)
            self.planted += bool(truth[passage])
            self.planted_found += bool(truth[passage] and answer[passage])

    def row(self, threshold: float, searches: int) -> Row:
        return {
            "threshold": threshold,
            "searches": searches,
            "passages": self.passages,
            "recall": _share(self.passages_found, self.passages),
            "least": f"{self.least:.4f}",
            "places": self.places,
            "places recall": _share(self.places_found, self.places),
            "planted": self.planted,
            "planted recall": _share(self.planted_found, self.planted),
            "reported": self.reported,
            "precision": _share(self.right, self.reported),
        }


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.5f}" if whole else ""


def measure(texts: Collection, thresholds: tuple[float, ...], folder: Path) -> list[Row]:
    stream = stream_of(texts.texts)
    tallies = {threshold: Tally() for threshold in thresholds}
    lengths = {"min_length": LENGTHS[0], "max_length": LENGTHS[1]}
    with PassageIndex.build(folder / "index", texts.texts.items(), **lengths) as index:
        for query in texts.queries:
            text = " ".join(query.words)
            exact = similarities(stream, make_tokenizer("words").encode(Texts.from_strings([text])).ids)
            for threshold, tally in tallies.items():
                matches = index.search(text, threshold=threshold, select="all", limit=None, bounded=False)
                tally.add(stream, query, exact >= threshold, reported(stream, matches))
    return [tally.row(threshold, len(texts.queries)) for threshold, tally in tallies.items()]


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    warnings.filterwarnings("ignore", "passages similar to this query")  # truth is of the same lengths
    with tempfile.TemporaryDirectory() as folder:
        report.finish(measure(collection(quick), (0.5, 0.8) if quick else THRESHOLDS, Path(folder)))


if __name__ == "__main__":
    main()
