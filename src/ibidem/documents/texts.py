"""The distinct texts of a collection: of byte-identical documents, one is compared with others, and stands for all.

Texts are numbered by the hash of their content, those with a token first. So whatever is decided about them does not
depend on the order of the documents.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.distinct_ids import find_repeated_id
from ibidem.documents.digests import Digests
from ibidem.documents.rules import Rules
from ibidem.engine.outputs import open_as, save_output
from ibidem.errors import CorpusError
from ibidem.hashing import hash_strings
from ibidem.resources import Resources

_Ints = NDArray[np.int64]


class DistinctTexts(NamedTuple):
    """Texts without their exact duplicates.

    Attributes:
        documents: int64 [d], the documents that resemble none of an index, text by text, ascending in each.
        bounds: int64 [u + 1], where those of each text begin.
        numbers: int64 [n], the number of the text of each document that is compared: the first of a text with a token;
            -1 for any other.
    """

    documents: _Ints
    bounds: _Ints
    numbers: _Ints

    @classmethod
    def find(cls, contents: NDArray[np.uint64], lengths: _Ints, rows: _Ints) -> "DistinctTexts":
        """The distinct texts of the documents ``rows``, ascending.

        Args:
            contents: the hashes of all texts, [n, 2].
            lengths: how many tokens each has, [n].
        """
        is_empty = lengths == 0
        documents = rows[np.lexsort((contents[rows, 1], contents[rows, 0], is_empty[rows]))]
        ordered = contents[documents]
        opens = np.ones(len(documents), np.bool_)
        opens[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        begins = np.flatnonzero(opens)
        numbers = np.full(len(lengths), -1)
        numbers[documents[begins]] = np.arange(len(begins))
        numbers[is_empty] = -1
        return cls(documents, np.append(begins, len(documents)), numbers)

    @classmethod
    def of_each(cls, rows: _Ints, count: int) -> "DistinctTexts":
        """A text for each of the documents ``rows``, none of which is compared; ``count`` are all documents."""
        return cls(rows, np.arange(len(rows) + 1), np.full(count, -1))

    @property
    def num_texts(self) -> int:
        """How many texts there are."""
        return len(self.bounds) - 1

    def first_of(self, texts: _Ints) -> _Ints:
        """The first document of each of some texts."""
        return self.documents[self.bounds[texts]]

    def find_documents(self, texts: _Ints) -> tuple[_Ints, _Ints]:
        """The documents of some texts, ascending, and for each of them the place of its text in ``texts``."""
        starts, ends = self.bounds[texts], self.bounds[texts + 1]
        sizes = ends - starts
        of = np.repeat(np.arange(len(texts)), sizes)
        within = np.arange(len(of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        documents = self.documents[starts[of] + within]
        order = np.argsort(documents)
        return documents[order], of[order]


def find_texts(rules: Rules, digest_folders: Sequence[Path], file: Path, resources: Resources) -> None:
    """Leave the distinct texts of all documents.

    Raises:
        CorpusError: two documents have one id, or no document has a column that the keep policy names.
    """
    documents = Digests(digest_folders)
    repeated = find_repeated_id(documents.names())
    if repeated is not None:
        raise repeated.describe(documents.ids(np.array([repeated.second]))[0])
    _require_columns(rules, documents)
    rows = np.flatnonzero(~documents.find_known())
    if rules.alone:
        texts = DistinctTexts.of_each(rows, documents.rows)
    else:
        texts = DistinctTexts.find(documents.contents(), documents.lengths(), rows)
    save_output(texts, file)


def has_repeated_ids(digest_folders: Sequence[Path], taken: Iterable[str]) -> bool:
    """Whether a document has an id that another one has, or that is taken."""
    taken_hashes = hash_strings([name.encode("utf-8", "surrogatepass") for name in taken])
    return find_repeated_id(np.concatenate([taken_hashes, Digests(digest_folders).names()])) is not None


open_texts = open_as(DistinctTexts)
"""Opens the file in which ``find_texts`` left its output."""


def _require_columns(rules: Rules, documents: Digests) -> None:
    """Refuse a keep policy that names a column which no document has; one may be without a value everywhere."""
    for number, column in enumerate(rules.policy.columns):
        if documents.rows and not sum(each.present[number] for each in documents.facts):
            raise CorpusError(f"no document has the column {column!r} that keep={rules.keep!r} names")
