"""The characters of a text: with shingles of n, its character n-grams."""

from typing import Any

from ibidem.text.batches import Texts, Tokens
from ibidem.text.scanning import scan, scan_characters

__all__ = ["Characters"]


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
        """What ``tokenizer()`` rebuilds this tokenizer from."""
        return {"name": "characters", "version": 1, "shingle": 1}
