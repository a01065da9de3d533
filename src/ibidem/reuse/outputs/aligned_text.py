"""Two passages written below each other, character by character."""

from typing import NamedTuple

import numpy as np

from ibidem.comparison.global_alignment import ALONE, Sequences, align_long

GAP = "-"

HYPHEN = "\u2010"
"""The substitute for a hyphen of the text, since the hyphen marks a gap."""

_MOST_CELLS = 1 << 22


class AlignedText(NamedTuple):
    """Two strings of one length, and how many characters are the same in both."""

    a: str
    b: str
    matches: int


def align_characters(a: str, b: str) -> AlignedText:
    """The two texts with a gap for each character that has no partner.

    >>> align_characters("a lamb-kin", "the lambkin")
    AlignedText(a='--a lamb‐kin', b='the lamb-kin', matches=8)
    """
    a, b = a.replace(GAP, HYPHEN), b.replace(GAP, HYPHEN)
    codes = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) for text in (a, b)]
    distinct, ids = np.unique(np.concatenate(codes), return_inverse=True)
    in_a, in_b = ids[: len(a)].astype(np.int32), ids[len(a) :].astype(np.int32)
    partners = align_long(Sequences(in_a, in_b, np.full(len(distinct), 2, np.int64), 1), _MOST_CELLS).tolist()
    line_a, line_b, end_b = [], [], 0
    for position, partner in enumerate(partners):
        if partner != ALONE:
            line_a.append(GAP * (partner - end_b))
            line_b.append(b[end_b : partner + 1])
            end_b = partner + 1
        else:
            line_b.append(GAP)
        line_a.append(a[position])
    first, second = "".join(line_a) + GAP * (len(b) - end_b), "".join(line_b) + b[end_b:]
    return AlignedText(first, second, sum(x == y for x, y in zip(first, second, strict=True)))
