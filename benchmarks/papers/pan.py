"""Passage search on PAN 2013: the annotated suspicious passage as a query, the source document as the text."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from figure import generated, rows_of

from ibidem.evaluation import tokens_in
from ibidem.text import Texts, Tokens, tokenizer
from ibidem.weights import DocumentFrequencies

__all__ = ["PanSearch", "Task", "pan_search"]

SUMMARIES = "summary-obfuscation"
Tokens32 = npt.NDArray[np.uint32]


class Task(NamedTuple):
    """A query and the text that holds what it was made from.

    Attributes:
        query: uint32 [q], its tokens.
        text: uint32 [n], those of the source document.
        starts, ends: uint32 [n], where they stand in it, in characters.
        truth: the annotated passage of the source, in characters, half open.
        category: the kind of obfuscation.
        group: the suspicious document; what is chosen on some documents is tried on others.
    """

    query: Tokens32
    text: Tokens32
    starts: Tokens32
    ends: Tokens32
    truth: tuple[int, int]
    category: str
    group: int


class PanSearch(NamedTuple):
    """The tasks, and the document frequencies of the whole collection."""

    tasks: list[Task]
    frequencies: DocumentFrequencies


def pan_search(quick: bool, every: int = 1, spec: str = "words") -> PanSearch:
    """Every ``every``-th case of all categories but summaries, or a few generated ones."""
    texts, cases = _generated_cases() if quick else _pan_cases(every)
    ids = list(texts)
    row_of = {id: row for row, id in enumerate(ids)}
    tokens = tokenizer(spec).encode(Texts.from_strings(list(texts.values())), offsets=True)
    tasks = [task for case in cases for task in _tasks(case, tokens, row_of)]
    return PanSearch(tasks, DocumentFrequencies.count([tokens]))


class _Case(NamedTuple):
    suspicious: str
    ours: tuple[int, int]
    source: str
    theirs: tuple[int, int]
    category: str


def _tasks(case: _Case, tokens: Tokens, row_of: dict[str, int]) -> Iterator[Task]:
    assert tokens.starts is not None
    assert tokens.ends is not None
    first, stop = tokens.bounds[row_of[case.suspicious] :][:2]
    for start, end in tokens_in([case.ours], tokens.starts[first:stop], tokens.ends[first:stop]):
        query = tokens.ids[first + start : first + end]
        first, stop = tokens.bounds[row_of[case.source] :][:2]
        columns = (column[first:stop] for column in (tokens.ids, tokens.starts, tokens.ends))
        yield Task(query, *columns, case.theirs, case.category, row_of[case.suspicious])


def _pan_cases(every: int) -> tuple[dict[str, str], list[_Case]]:
    texts = {row["id"]: row["text"] for row in rows_of("pan13-train-documents")}
    cases = []
    for row in rows_of("pan13-train-cases"):
        if row["category"] != SUMMARIES:
            ours = row["this_offset"], row["this_offset"] + row["this_length"]
            theirs = row["source_offset"], row["source_offset"] + row["source_length"]
            cases.append(_Case(row["suspicious"], ours, row["source"], theirs, row["category"]))
    return texts, cases[::every]


def _generated_cases() -> tuple[dict[str, str], list[_Case]]:
    """Passages of generated documents with every fifth word replaced, as documents of their own."""
    source = random.Random(4)
    texts = dict(generated(5, 400))
    cases = []
    for name, text in list(texts.items()):
        words = text.split()
        first = source.randrange(50, 300)
        passage = words[first : first + 60]
        start = len(" ".join(words[:first])) + 1
        changed = " ".join("replaced" if i % 5 == 0 else word for i, word in enumerate(passage))
        texts[f"{name}-changed"] = changed
        theirs = start, start + len(" ".join(passage))
        cases.append(_Case(f"{name}-changed", (0, len(changed)), name, theirs, "generated"))
    return texts, cases
