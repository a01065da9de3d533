"""The null model of a collection: how surprising runs of tokens are, and how surprising chance makes them."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import Background, learn_background
from ibidem.evidence.chance import Chance, estimate_chance
from ibidem.evidence.seeds import Documents
from ibidem.text import Collection, Normalize, TokenizerSpec, as_batches, make_tokenizer

_Ints = npt.NDArray[np.int64]
_Tokens = npt.NDArray[np.uint32]

SAMPLE = 1 << 20
"""Tokens of one side from which a null model is learnt, at most."""

_PIECE = 1 << 12
"""Tokens of a piece of a document that is in a sample, or not."""


class NullModel(NamedTuple):
    """What texts of a collection share by chance.

    Attributes:
        background: how surprising tokens are.
        chance: the law of runs in unrelated texts.
    """

    background: Background
    chance: Chance

    @classmethod
    def of(
        cls,
        documents: Collection,
        *,
        against: Collection | None = None,
        tokenizer: TokenizerSpec = "words",
        normalize: Normalize = (),
    ) -> "NullModel":
        """Learn what ``documents`` share by chance, or what they share with others.

        Args:
            documents: as :func:`ibidem.find_reuse` takes them; a sample of them is kept.
            against: others, if only these are compared with ``documents``.
            tokenizer, normalize: as :func:`ibidem.align` takes them.
        """
        encode = make_tokenizer(tokenizer, normalize=normalize).encode
        collections = [documents] if against is None else [documents, against]
        samples = [
            _draw_sample(
                np.split(tokens.ids, tokens.bounds[1:-1])
                for tokens in (encode(batch.texts) for batch in as_batches(collection))
            )
            for collection in collections
        ]
        sizes = [[len(piece) for piece in sample.pieces] for sample in samples]
        side = np.repeat([-1] if against is None else [0, 1], [len(each) for each in sizes]).astype(np.int32)
        pieces = [piece for sample in samples for piece in sample.pieces]
        bounds = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
        tokens = np.concatenate([np.empty(0, np.uint32), *pieces])
        return learn_null_model(tokens, bounds, side, min(sample.share for sample in samples))


class _Sample(NamedTuple):
    """Pieces of documents, and the part of all tokens that they are."""

    pieces: list[_Tokens]
    share: float


def _draw_sample(batches: Iterable[list[_Tokens]]) -> _Sample:
    """Every n-th piece of documents, with ``n`` the smallest power of two for which they are few enough."""
    pieces: list[_Tokens] = []
    every, number, total = 1, 0, 0
    for batch in batches:
        for document in batch:
            for first, last in pairwise([*range(0, len(document), _PIECE), len(document)]):
                if number % every == 0:
                    pieces.append(document[first:last])
                    total += last - first
                number += 1
            if total > SAMPLE:
                pieces, every = pieces[::2], 2 * every
                total = sum(map(len, pieces))
    return _Sample(pieces, 1.0 / every)


def learn_null_model(tokens: _Tokens, bounds: _Ints, side: npt.NDArray[np.int32], share: float = 1.0) -> NullModel:
    """The null model of texts.

    Args:
        tokens: uint32 [n], those of the texts, one after the other.
        bounds: int64 [D + 1], where each text begins.
        side: int32 [D]; texts of the same one are not compared, of a negative one with all.
        share: the part of all that is compared that these texts are.
    """
    names, ids = np.unique(tokens, return_inverse=True)
    dense = ids.astype(np.int32)
    background = learn_background(dense, bounds, len(names), share, names)
    return NullModel(background, estimate_chance(Documents.of(dense, bounds, side), background))
