"""The words of a text, in any script."""

from typing import Any

from ibidem.text.batches import Texts, Tokens
from ibidem.text.scanning import scan, scan_words

__all__ = ["Words"]


class Words:
    """Cuts texts into words.

    A token is an ideograph with the marks that follow it, or a longest run of other letters, numbers and marks that
    begins with a letter or number. Everything else separates, so ``don't`` is two words; a mark with nothing before it
    belongs to none. Ideographs are the CJK unified and compatibility ideographs and ``〇``.

    Two tokens are the same if they match canonically without case, code point by code point: NFD(casefold(NFD(c))).
    ``é`` is the same as one code point or as two, and ``ß`` is ``ss``. Classes and folding are those of Unicode 14.
    """

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        # Between two words of one byte stands a separator, and an ideograph takes three bytes.
        return scan(scan_words, texts, (texts.nbytes + len(texts)) // 2, offsets=offsets)

    @property
    def config(self) -> dict[str, Any]:
        """What ``tokenizer()`` rebuilds this tokenizer from."""
        return {"name": "words", "version": 1, "shingle": 1}
