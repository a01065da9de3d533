"""Tokens of a long text, made piece by piece, where the tokenizer knows places at which a text may be cut."""

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ibidem.parallel import in_order
from ibidem.resources import LONG_BYTES, Resources
from ibidem.text.batches import Texts, Tokenizer, Tokens
from ibidem.text.collection import cut_batches
from ibidem.text.documents import Documents
from ibidem.text.long_texts.scratch import Scratch

_PIECE = 1 << 22


@runtime_checkable
class CuttingTokenizer(Protocol):
    """A tokenizer that gives two parts of a text the tokens of the whole, if it is cut at a place of its choice."""

    def last_cut(self, data: NDArray[np.uint8]) -> int:
        """The last byte of ``data`` at which a text that goes on may be cut; 0 if there is none."""


def encode_texts(tokenizer: Tokenizer, texts: Texts, *, offsets: bool = True) -> Tokens:
    """The tokens of ``texts``, with their ``offsets`` if asked for; in files if this is one long text.

    Raises:
        ValueError: a text has 4 GiB or more.
    """
    if len(texts) > 1 or texts.nbytes <= LONG_BYTES or not isinstance(tokenizer, CuttingTokenizer):
        return tokenizer.encode(texts, offsets=offsets)
    if texts.nbytes > 0xFFFFFFFF:
        raise ValueError("a text has 4 GiB or more; cut it into parts")
    with Scratch(np.uint32) as ids, Scratch(np.uint32) as starts, Scratch(np.uint32) as ends:
        before = count = 0
        for piece in _cut_text(texts.data, tokenizer):
            tokens = tokenizer.encode(Texts(piece, [0, len(piece)]), offsets=offsets)
            ids.append(tokens.ids)
            count += len(tokens.ids)
            if tokens.starts is not None and tokens.ends is not None:
                starts.append(tokens.starts + np.uint32(before))
                ends.append(tokens.ends + np.uint32(before))
                before += int(np.count_nonzero(piece & 0xC0 != 0x80))  # code points: bytes that continue none
        spans = (starts.finish(), ends.finish()) if offsets else ()
        return Tokens(ids.finish(), np.array([0, count], np.int64), *spans)


def tokenize_batches(
    batches: Iterable[Documents], tokenizer: Tokenizer, resources: Resources
) -> Iterator[tuple[Documents, Tokens]]:
    """``batches`` in parts that the memory allows, each with its tokens and their offsets."""

    def encode(documents: Documents) -> tuple[Documents, Tokens]:
        return documents, encode_texts(tokenizer, documents.texts)

    with resources.pool() as pool:
        yield from in_order(pool, encode, cut_batches(batches, resources.batch_bytes), resources.workers + 1)


def _cut_text(data: NDArray[np.uint8], tokenizer: CuttingTokenizer) -> Iterator[NDArray[np.uint8]]:
    """Parts of about ``_PIECE`` bytes; a part is longer where it cannot be cut."""
    first, size = 0, _PIECE
    while first + size < len(data):
        length = tokenizer.last_cut(data[first : first + size])
        if length:
            yield data[first : first + length]
        first, size = first + length, _PIECE if length else 2 * size
    yield data[first:]
