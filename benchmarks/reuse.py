"""Every passage that stands twice in a collection: how much of what is known is found, and how long does it take?

    python benchmarks/reuse.py [--quick] [--workload NAME...] [--documents N] [--memory SIZE] [--csv FILE]

From texts in memory to clusters, with as many threads as there are cores; seconds of the processor and of the clock.

- *pan*: the training half of PAN 2013 as one collection. Plagdet, precision and recall (Potthast et al., COLING 2010)
  of what was reported of the pairs that the corpus judges; it says nothing of the others.
- *novels*: all pairs of a hundred novels. Nobody knows the truth; pairs of documents and of passages are counted.
- *planted R*: passages of 50 to 500 words of one novel, put into two others, with a share R of their words replaced by
  words of the novels; *reordered*: their sentences shuffled, *noise*: three of a hundred letters misread. Recall is the
  share of the three pairs of each planted passage of which both sides are met by half; precision the share of the pairs
  reported, beyond those of the novels as they are, that meet a planted pair on both sides. The adjusted Rand index says
  how well clusters agree with what was planted, over the passages that were found.
- *chapters*: the classics in Chinese, cut into pieces of 5,000 characters; counted only.
"""

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from collections_of_text import documents, rows_of
from pan import corpus, count_as_pan, quality
from report import Report, Row

from ibidem import Reuse, find_reuse
from ibidem.evaluation import Case, adjusted_rand_index

WORKLOADS = (
    "pan",
    "novels",
    "planted 0",
    "planted 0.1",
    "planted 0.3",
    "planted 0.5",
    "reordered",
    "noise",
    "chapters",
)

Span = tuple[str, int, int]
"""A document, and a half-open range of its characters."""


class Measured(NamedTuple):
    found: Reuse
    cpu: float
    clock: float


def run(given: list[tuple[str, str]], **settings: Any) -> Measured:
    cpu, clock = time.process_time(), time.perf_counter()
    found = find_reuse(given, **settings)
    return Measured(found, time.process_time() - cpu, time.perf_counter() - clock)


def row(workload: str, measured: Measured, **more: object) -> Row:
    summary = measured.found.summary
    counts = {
        name: summary[name] for name in ("documents", "tokens", "pairs", "document_pairs", "clusters", "left_out")
    }
    scores = dict.fromkeys(("recall", "precision", "plagdet", "rand"), "") | more
    bands = summary["bands"] or {"bands": "", "functions": ""}
    seconds = {"cpu s": f"{measured.cpu:.1f}", "clock s": f"{measured.clock:.1f}"}
    return {"workload": workload} | counts | {"bands": f"{bands['bands']}x{bands['functions']}"} | seconds | scores


def on_pan(quick: bool, settings: dict[str, Any]) -> Row:
    given = corpus(quick)
    measured = run(list(given.texts.items()), **settings)
    judged = {frozenset(pair.ids): pair for pair in given.pairs}
    found, kinds = [], []
    for pair in measured.found.pairs.to_pylist():
        verdict = judged.get(frozenset((pair["a"], pair["b"])))
        if verdict is not None:
            a, b = "ab" if pair["a"] == verdict.suspicious else "ba"
            names = {"suspicious": pair[a], "source": pair[b]}
            places = {"start": pair[f"{a}_start"], "end": pair[f"{a}_end"]}
            found.append(Case(**names, **places, source_start=pair[f"{b}_start"], source_end=pair[f"{b}_end"]))
            kinds.append(pair["kind"])
    scores = quality(count_as_pan(found, kinds), given.cases)
    return row("pan", measured, **{name: scores[name] for name in ("recall", "precision", "plagdet")})


def on_novels(quick: bool, settings: dict[str, Any]) -> Row:
    return row("novels", run(documents(quick), **settings))


def on_chapters(quick: bool, settings: dict[str, Any]) -> Row:
    texts = dict(documents(True)) if quick else {r["id"]: r["text"] for r in rows_of("classics-zh")}
    pieces = [
        (f"{name}:{first}", text[first : first + 5000])
        for name, text in texts.items()
        for first in range(0, len(text), 5000)
    ]
    return row("chapters", run(pieces, tokenizer="words" if quick else "characters", **settings))


class Planted(NamedTuple):
    """Texts, and the places of each passage that was planted."""

    texts: list[tuple[str, str]]
    places: list[list[Span]]


def plant(given: list[tuple[str, str]], change: Callable[[list[str], random.Random], str], count: int) -> Planted:
    """Passages of 50 to 500 words of one text, changed, at places of two others."""
    drawn = random.Random(1)
    words = {name: re.findall(r"\S+", text) for name, text in given}
    inserts: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    taken: set[tuple[str, int]] = set()
    origins: list[tuple[str, int, int]] = []
    for _ in range(count):
        names = drawn.sample(sorted(words), 3)
        size = drawn.randint(50, min(500, len(words[names[0]]) // 4))
        first = drawn.randrange(len(words[names[0]]) - size)
        if any((names[0], place // 500) in taken for place in range(first - 500, first + size + 500)):
            continue  # a passage that stands in two planted ones would make the truth doubtful
        taken |= {(names[0], place // 500) for place in range(first - 500, first + size + 500)}
        origins.append((names[0], first, first + size))
        for name in names[1:]:
            copied = change(words[names[0]][first : first + size], drawn)
            inserts[name].append((drawn.randrange(len(words[name])), len(origins) - 1, copied))
    return _written(words, inserts, origins)


def _written(
    words: dict[str, list[str]],
    inserts: dict[str, list[tuple[int, int, str]]],
    origins: list[tuple[str, int, int]],
) -> Planted:
    """The texts with what is inserted, and where everything stands in them."""
    places: list[list[Span]] = [[] for _ in origins]
    texts = []
    for name, own in words.items():
        marks: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        for passage, (origin, first, last) in enumerate(origins):
            if origin == name:
                marks[first].append((passage, True))
                marks[last].append((passage, False))
        pending, parts, length, begun = sorted(inserts[name]), [], 0, {}
        for place, word in enumerate([*own, ""]):
            for passage, begins in marks[place]:
                if begins:
                    begun[passage] = length
                else:
                    places[passage].append((name, begun[passage], length))
            while pending and pending[0][0] <= place:
                _, passage, copied = pending.pop(0)
                places[passage].append((name, length, length + len(copied)))
                parts.append(copied)
                length += len(copied) + 1
            parts.append(word)
            length += len(word) + 1
        texts.append((name, " ".join(parts)))
    return Planted(texts, places)


def replacing(share: float, vocabulary: list[str]) -> Callable[[list[str], random.Random], str]:
    def change(words: list[str], drawn: random.Random) -> str:
        return " ".join(drawn.choice(vocabulary) if drawn.random() < share else word for word in words)

    return change


def reorder(words: list[str], drawn: random.Random) -> str:
    sentences = re.findall(r"[^.!?]+[.!?]*", " ".join(words))
    drawn.shuffle(sentences)
    return " ".join(sentence.strip() for sentence in sentences)


def misread(words: list[str], drawn: random.Random) -> str:
    text = " ".join(words)
    return "".join(drawn.choice("etaoinshrdl") if c.isalpha() and drawn.random() < 0.03 else c for c in text)


def on_planted(workload: str, quick: bool, settings: dict[str, Any], most: int | None) -> Row:
    given = documents(quick)[:most]
    own = {(p["a"], p["b"]) for p in find_reuse(given, **settings).pairs.to_pylist()}
    vocabulary = given[0][1].split()
    changes = {"reordered": reorder, "noise": misread}
    change = changes.get(workload) or replacing(float(workload.split()[1]), vocabulary)
    made = plant(given, change, 4 if quick else 20 * len(given))
    measured = run(made.texts, **settings)
    return row(workload, measured, **_scores(made, measured.found, own))


def _scores(made: Planted, found: Reuse, own: set[tuple[str, str]]) -> dict[str, str]:
    by_documents: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for pair in found.pairs.to_pylist():
        by_documents[pair["a"], pair["b"]].append(pair)
    met, total, hits = 0, 0, set()
    for a, b in _true_pairs(made):
        total += 1
        pairs = [p for p in by_documents[a[0], b[0]] if _meets(p, "a", a) and _meets(p, "b", b)]
        hits |= {id(pair) for pair in pairs}
        met += any(_meets(p, "a", a, 0.5) and _meets(p, "b", b, 0.5) for p in pairs)
    beyond = [p for key, pairs in by_documents.items() for p in pairs if key not in own or id(p) in hits]
    precision = len(hits) / len(beyond) if beyond else 1.0
    return {
        "recall": f"{met / max(total, 1):.3f}",
        "precision": f"{precision:.3f}",
        "rand": f"{_rand(made, found):.3f}",
    }


def _true_pairs(made: Planted) -> Iterator[tuple[Span, Span]]:
    for places in made.places:
        ordered = sorted(places)
        yield from ((a, b) for x, a in enumerate(ordered) for b in ordered[x + 1 :] if a[0] != b[0])


def _meets(pair: dict[str, Any], side: str, place: Span, share: float = 0.0) -> bool:
    shared = min(pair[f"{side}_end"], place[2]) - max(pair[f"{side}_start"], place[1])
    return shared > share * (place[2] - place[1])


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


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--workload", nargs="+", default=list(WORKLOADS), choices=WORKLOADS, metavar="NAME")
    report.parser.add_argument("--documents", type=int, metavar="N", help="novels to plant passages in (all)")
    report.parser.add_argument("--memory", default="2G", metavar="SIZE", help="for find_reuse (2G)")
    options = report.options()
    settings = {"memory": options.memory}
    find_reuse([("warm", "up " * 100), ("again", "up " * 100)])  # compiles
    others = {"pan": on_pan, "novels": on_novels, "chapters": on_chapters}
    rows = [
        others[name](options.quick, settings)
        if name in others
        else on_planted(name, options.quick, settings, options.documents)
        for name in options.workload
    ]
    report.finish(rows)


if __name__ == "__main__":
    main()
