"""Passage search on annotated plagiarism: the suspicious passage as a query, the source document as the text."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from figure import generated, rows_of

from ibidem import PassageIndex
from ibidem.evaluation import tokens_in
from ibidem.text import Texts, Tokens, make_tokenizer
from ibidem.weights import DocumentFrequencies

__all__ = ["COLLECTIONS", "IndexedTexts", "PanSearch", "Task", "pan_search", "words"]

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


class IndexedTexts(NamedTuple):
    """Tasks whose tokens are written as words, so that an index can be made of their texts.

    Attributes:
        tasks: the tasks.
        documents: the distinct texts by name.
        names: the name of the text of each task.
    """

    tasks: list[Task]
    documents: dict[str, str]
    names: list[str]

    @classmethod
    def of(cls, tasks: list[Task]) -> "IndexedTexts":
        numbers: dict[bytes, int] = {}
        names = [f"source-{numbers.setdefault(task.text.tobytes(), len(numbers))}" for task in tasks]
        documents = {name: " ".join(words(task.text)) for name, task in zip(names, tasks, strict=True)}
        return cls(tasks, documents, names)

    @property
    def longest(self) -> int:
        """Tokens of the longest text."""
        return max(len(task.text) for task in self.tasks)

    def found(self, number: int, index: PassageIndex, **choices: Any) -> npt.NDArray[np.int64]:
        """The first token and the one after the last, [M, 2], of the matches in the text of the task ``number``."""
        text = self.documents[self.names[number]]
        query = " ".join(words(self.tasks[number].query))
        matches = index.search(query, limit=None, bounded=False, **choices)
        own = [match for match in matches if match.document == self.names[number]]
        firsts = np.array([text.count(" ", 0, match.start) for match in own], np.int64)
        sizes = np.array([match.text.count(" ") + 1 for match in own], np.int64)
        return np.stack((firsts, firsts + sizes), axis=1)


def words(tokens: Tokens32) -> list[str]:
    """A word for each token."""
    return [f"t{token}" for token in tokens.tolist()]


def pan_search(quick: bool, every: int = 1, spec: str = "words", collection: str = "pan13-train") -> PanSearch:
    """Every ``every``-th case of a collection, of all categories but summaries, or a few generated ones."""
    texts, cases = _generated_cases() if quick else COLLECTIONS[collection]()
    cases = cases[:: 1 if quick else every]
    ids = list(texts)
    row_of = {id: row for row, id in enumerate(ids)}
    tokens = make_tokenizer(spec).encode(Texts.from_strings(list(texts.values())), offsets=True)
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


def _pan_cases() -> tuple[dict[str, str], list[_Case]]:
    texts = {row["id"]: row["text"] for row in rows_of("pan13-train-documents")}
    cases = []
    for row in rows_of("pan13-train-cases"):
        if row["category"] != SUMMARIES:
            ours = row["this_offset"], row["this_offset"] + row["this_length"]
            theirs = row["source_offset"], row["source_offset"] + row["source_length"]
            cases.append(_Case(row["suspicious"], ours, row["source"], theirs, row["category"]))
    return texts, cases


def _indonesian_cases() -> tuple[dict[str, str], list[_Case]]:
    texts, cases = {}, []
    for row in rows_of("plagiarism-id"):
        texts[row["id"]] = row["text"]
        for case in row.get("cases", []):
            ours, theirs = ((int(case[f"{side}_offset"]), int(case[f"{side}_length"])) for side in ("this", "source"))
            source = case["source_reference"].removesuffix(".txt")
            cases.append(_Case(row["id"], (ours[0], sum(ours)), source, (theirs[0], sum(theirs)), case["type"]))
    return texts, cases


COLLECTIONS = {"pan13-train": _pan_cases, "plagiarism-id": _indonesian_cases}
"""What gives the texts and the cases, by the name of the collection."""


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
