"""Collections that tests of steps begin with, and searches in them of which the files are at hand."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.engine import Here
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection, Rarity, assemble_collection
from ibidem.reuse.documents import DocumentPart, InputRows, open_part, read_documents
from ibidem.reuse.explain import explain_pair
from ibidem.reuse.find import search
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.question import Question
from ibidem.reuse.steps import gather_tables
from ibidem.text import Collection as AnyCollection
from ibidem.text import Tokenizer, as_batches


def make_parts(sides: Iterable[AnyCollection]) -> list[DocumentPart]:
    """A part of each side."""
    return [DocumentPart(side, as_batches(documents)) for side, documents in enumerate(sides)]


def read_collection(
    sides: Iterable[AnyCollection],
    tokenizer: Tokenizer,
    folder: Path,
    resources: Resources,
    rarity: Rarity | None = None,
    order: Callable[[list[str], InputRows], NDArray[np.int64]] | None = None,
) -> Collection:
    """Read one collection, or two, of documents in any form, into columns in ``folder``.

    Weights follow from ``rarity``, or from the collection itself. ``order`` gives the rows of the documents int64
    [D] in the order in which they are numbered, from the ids and all else of the rows; that of the ids if not given.

    Raises:
        CorpusError: two documents have one id, or a document cannot be used.
    """
    read = Here(resources).map("reading", partial(read_documents, tokenizer), make_parts(sides), folder / "read")
    return assemble_collection([open_part(each) for each in read], folder, rarity, order)


def find_in(
    sides: list[Any], question: Question, folder: Path, resources: Resources, update: Path | None = None
) -> Reuse:
    """The result of a search, with its documents, which lie in ``folder``."""
    question, apart = question.require_valid(), len(sides) > 1
    outputs = search(Here(resources), folder, make_parts(sides), question, apart=apart, update=update)
    return gather_tables(question, update, outputs, resources.workers)


def explain(
    sides: list[Any], question: Question, pair: tuple[str, str], folder: Path, resources: Resources
) -> dict[str, Any]:
    """Why a search finds what it does in two documents."""
    return explain_pair(make_parts(sides), question.require_valid(), pair, folder, resources, apart=len(sides) > 1)
