"""The tokenizers ``words`` and ``characters``, for text in any script."""

from typing import Any

from ibidem.text.batches import Texts, Tokens
from ibidem.text.scanning import scan, scan_characters, scan_words

__all__ = ["Characters", "Words"]


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
        """What ``make_tokenizer()`` rebuilds this tokenizer from."""
        return {"name": "words", "version": 1, "shingle": 1}


class Characters:
    """Makes every code point a token, punctuation, marks and control characters too; a run of white space is one.

    Two tokens are the same if they fold to the same code points, as in words: ``É`` is ``é``, but an ``é`` in two code
    points is two tokens. A run of white space (``str.isspace``: tabs and line ends too) is always the same token, also
    at the beginning and the end of a text. A lone surrogate is a token.
    """

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        return scan(scan_characters, texts, texts.nbytes, offsets=offsets)

    @property
    def config(self) -> dict[str, Any]:
        """What ``make_tokenizer()`` rebuilds this tokenizer from."""
        return {"name": "characters", "version": 1, "shingle": 1}
