"""Suspicious documents, their sources, and the cases of reuse: PAN 2013's training half, or generated ones."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from collections_of_text import rows_of

from ibidem.evaluation import Case, pan_scores
from ibidem.evaluation.pan import drop_parts_of_summaries as count_as_pan

__all__ = ["Corpus", "Pair", "corpus", "count_as_pan", "quality"]


class Pair(NamedTuple):
    """Two documents, by their ids, that the corpus has a verdict on."""

    suspicious: str
    source: str
    category: str

    @property
    def ids(self) -> tuple[str, str]:
        return self.suspicious, self.source


class Corpus(NamedTuple):
    """The texts by their ids, the pairs that were judged, and all cases in these."""

    texts: dict[str, str]
    pairs: list[Pair]
    cases: list[Case]


def corpus(quick: bool) -> Corpus:
    """The training half of the corpus for text alignment, or 12 generated pairs."""
    if quick:
        return generated(12)
    texts = {row["id"]: row["text"] for row in rows_of("pan13-train-documents")}
    pairs = [Pair(row["suspicious"], row["source"], row["category"]) for row in rows_of("pan13-train-pairs")]
    return Corpus(texts, pairs, [Case.of(row) for row in rows_of("pan13-train-cases")])


def generated(count: int) -> Corpus:
    """Pairs that share nothing, a copied passage, or one of which every fourth word was changed."""
    drawn = random.Random(1)

    def words(size: int) -> list[str]:
        return [f"w{int(5000 ** drawn.random())}x" for _ in range(size)]

    made = Corpus({}, [], [])
    for number in range(count):
        pair = Pair(f"suspicious {number}", f"source {number}", ("unrelated", "copied", "changed")[number % 3])
        passage, before, after, other = words(200), words(300), words(400), words(800)
        planted = [f"new{i}" if pair.category == "changed" and i % 4 == 0 else word for i, word in enumerate(passage)]
        if pair.category == "unrelated":
            planted = words(200)
        else:
            start, source_start = (len(" ".join(each)) + 1 for each in (before, other[:500]))
            case = Case(
                suspicious=pair.suspicious,
                start=start,
                end=start + len(" ".join(passage)),
                source=pair.source,
                source_start=source_start,
                source_end=source_start + len(" ".join(planted)),
                category=pair.category,
            )
            made.cases.append(case)
        made.pairs.append(pair)
        made.texts[pair.suspicious] = " ".join(before + passage + after)
        made.texts[pair.source] = " ".join(other[:500] + planted + other[500:])
    return made


def quality(reported: Sequence[Case], truth: Sequence[Case]) -> dict[str, object]:
    """PAN's measures, in columns of a table."""
    scores = pan_scores(reported, truth)
    shown = {"plagdet": scores.plagdet} | scores._asdict()
    return {name: f"{value:.3f}" for name, value in shown.items()} | {"cases": len(truth), "reported": len(reported)}
