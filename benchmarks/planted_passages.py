"""Passages planted in texts, and how well the reuse that is found agrees with them.

A passage that repeats in the texts as they are would make the truth doubtful, since its copy stands again at places
where nothing was planted. So the texts are searched first, within documents too, and what repeats there is not planted.
No passage is cut in two by another one.
"""

import bisect
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem import Reuse, find_reuse
from ibidem.evaluation import adjusted_rand_index

__all__ = ["Change", "Planted", "Scores", "find_repeated", "misread", "plant", "reorder", "replacing", "score"]

Span = tuple[str, int, int]
"""A document, and a half-open range of its characters."""

Change = Callable[[list[str], random.Random], str]
"""What becomes of the words of a passage in a copy."""

_TRIES = 20
"""For each passage that is asked for."""


class Planted(NamedTuple):
    """Texts, the places of each passage that was planted, and the documents that had something in common before."""

    texts: list[tuple[str, str]]
    places: list[list[Span]]
    own: set[tuple[str, str]]


class Scores(NamedTuple):
    """Recall and precision of pairs, and the adjusted Rand index of clusters."""

    recall: float
    precision: float
    rand: float


class _Origin(NamedTuple):
    """A passage: its document, and the half-open range of its words."""

    name: str
    first: int
    last: int


class _Insert(NamedTuple):
    """A copy of a passage, before a word."""

    place: int
    passage: int
    text: str


def find_repeated(given: list[tuple[str, str]], settings: dict[str, Any]) -> list[dict[str, Any]]:
    """What repeats in the texts as they are, their words joined by blanks."""
    joined = [(name, " ".join(re.findall(r"\S+", text))) for name, text in given]
    columns = ["a", "b", "a_start", "a_end", "b_start", "b_end"]
    pairs: list[dict[str, Any]] = find_reuse(joined, within=True, **settings).pairs.select(columns).to_pylist()
    return pairs


def plant(given: list[tuple[str, str]], change: Change, count: int, repeated: list[dict[str, Any]]) -> Planted:
    """Up to ``count`` passages of 50 to 500 words of one text, each put, changed, into two others.

    None is in what is ``repeated`` (``find_repeated``).
    """
    drawn = random.Random(1)
    words = {name: re.findall(r"\S+", text) for name, text in given}
    given = [(name, " ".join(own)) for name, own in words.items()]
    taken = {name: np.zeros(len(own), np.bool_) for name, own in words.items()}
    starts = {name: _starts(own) for name, own in words.items()}
    for pair in repeated:
        for side in "ab":
            first, last = np.searchsorted(starts[pair[side]], [pair[f"{side}_start"], pair[f"{side}_end"]])
            taken[pair[side]][max(0, first - 1) : last] = True
    origins = _draw_origins(words, taken, count, drawn)
    places = [[(origin.first, origin.last) for origin in origins if origin.name == name] for name, _ in given]
    inside = dict(zip(words, map(sorted, places), strict=True))
    inserts: dict[str, list[_Insert]] = defaultdict(list)
    for passage, origin in enumerate(origins):
        for name in drawn.sample(sorted(words.keys() - {origin.name}), 2):
            copied = change(words[origin.name][origin.first : origin.last], drawn)
            inserts[name].append(_Insert(_draw_place(len(words[name]), inside[name], drawn), passage, copied))
    own_pairs = {(pair["a"], pair["b"]) for pair in repeated if pair["a"] != pair["b"]}
    return _write(words, inserts, origins, own_pairs)


def _starts(words: list[str]) -> npt.NDArray[np.int64]:
    """Where each word stands when they are joined by blanks."""
    lengths = np.array([len(word) + 1 for word in words], np.int64)
    return np.cumsum(lengths) - lengths


def _draw_origins(
    words: dict[str, list[str]], taken: dict[str, npt.NDArray[np.bool_]], count: int, drawn: random.Random
) -> list[_Origin]:
    """Passages that do not overlap each other, nor what is ``taken``."""
    names, origins = sorted(words), []
    for _ in range(_TRIES * count):
        if len(origins) == count:
            break
        name = drawn.choice(names)
        size = drawn.randint(50, min(500, len(words[name]) // 4))
        first = drawn.randrange(len(words[name]) - size)
        if not taken[name][first : first + size].any():
            taken[name][first : first + size] = True
            origins.append(_Origin(name, first, first + size))
    return origins


def _draw_place(size: int, origins: list[tuple[int, int]], drawn: random.Random) -> int:
    """A word of a text of ``size`` words that is not within one of its own ``origins``, which ascend."""
    while True:
        place = drawn.randrange(size)
        before = bisect.bisect_right(origins, (place,)) - 1
        if before < 0 or place >= origins[before][1]:
            return place


def _write(
    words: dict[str, list[str]], inserts: dict[str, list[_Insert]], origins: list[_Origin], own: set[tuple[str, str]]
) -> Planted:
    """The texts with what is inserted, and where everything stands in them."""
    places: list[list[Span]] = [[] for _ in origins]
    marks: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for passage, origin in enumerate(origins):
        marks[origin.name].append((origin.first, passage))
    texts = []
    for name, given in words.items():
        parts: list[str] = []
        done = length = 0
        steps = [(insert.place, 0, insert.passage, insert.text) for insert in inserts[name]]
        steps += [(first, 1, passage, "") for first, passage in marks[name]]
        for place, is_own, passage, copied in sorted(steps):
            parts.append("".join(f"{word} " for word in given[done:place]))
            length += len(parts[-1])
            done = place
            text = " ".join(given[place : origins[passage].last]) if is_own else copied
            places[passage].append((name, length, length + len(text)))
            if not is_own:
                parts.append(f"{copied} ")
                length += len(copied) + 1
        texts.append((name, "".join(parts) + " ".join(given[done:])))
    return Planted(texts, places, own)


def replacing(share: float, vocabulary: list[str]) -> Change:
    """A share of the words replaced by others."""

    def change(words: list[str], drawn: random.Random) -> str:
        return " ".join(drawn.choice(vocabulary) if drawn.random() < share else word for word in words)

    return change


def reorder(words: list[str], drawn: random.Random) -> str:
    """The sentences shuffled."""
    sentences = re.findall(r"[^.!?]+[.!?]*", " ".join(words))
    drawn.shuffle(sentences)
    return " ".join(sentence.strip() for sentence in sentences)


def misread(words: list[str], drawn: random.Random) -> str:
    """Three letters of a hundred misread."""
    text = " ".join(words)
    return "".join(drawn.choice("etaoinshrdl") if c.isalpha() and drawn.random() < 0.03 else c for c in text)


def score(made: Planted, found: Reuse) -> Scores:
    """How well what was found agrees with what was planted."""
    by_documents: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for pair in found.pairs.to_pylist():
        by_documents[pair["a"], pair["b"]].append(pair)
    met, total, hits = 0, 0, set()
    for a, b in _true_pairs(made):
        total += 1
        pairs = [p for p in by_documents[a[0], b[0]] if _meets(p, "a", a) and _meets(p, "b", b)]
        hits |= {id(pair) for pair in pairs}
        met += any(_meets(p, "a", a, 0.5) and _meets(p, "b", b, 0.5) for p in pairs)
    beyond = [p for key, pairs in by_documents.items() for p in pairs if key not in made.own or id(p) in hits]
    return Scores(met / max(total, 1), len(hits) / len(beyond) if beyond else 1.0, _rand(made, found))


def _true_pairs(made: Planted) -> Iterator[tuple[Span, Span]]:
    for places in made.places:
        ordered = sorted(places)
        yield from ((a, b) for x, a in enumerate(ordered) for b in ordered[x + 1 :])


def _meets(pair: dict[str, Any], side: str, place: Span, share: float = 0.0) -> bool:
    shared = min(pair[f"{side}_end"], place[2]) - max(pair[f"{side}_start"], place[1])
    return bool(shared > share * (place[2] - place[1]))


def _rand(made: Planted, found: Reuse) -> float:
    """Of the clusters, against the planted passages, over the places of which both know."""
    spans: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for passage in found.passages.to_pylist():
        spans[passage["document"]].append((passage["start"], passage["end"], passage["cluster"]))
    true, reported = [], []
    for number, places in enumerate(made.places):
        for name, start, end in places:
            shared = [(min(end, last) - max(start, first), cluster) for first, last, cluster in spans[name]]
            best = max(shared, default=(0, ""))
            if 2 * best[0] > end - start:
                true.append(number)
                reported.append(best[1])
    return adjusted_rand_index(true, reported) if true else 0.0
