"""How many collisions of two signatures to ask for.

Values of a similarity J agree, or *collide*, with probability J under each of k functions, independently of the others,
so the number of collisions is Binomial(k, J).
"""

from collections.abc import Iterator
from functools import cache


@cache
def collisions_needed(functions: int, threshold: float, recall: float) -> int:
    """The largest number of collisions that a passage of similarity ``threshold`` reaches with probability ``recall``.

    It is the ``1 - recall`` quantile of Binomial(functions, threshold). Passages above the threshold reach it more
    often. 0 means that no number of collisions can be asked for: every passage has to be examined.
    """
    chances, total = _chances(functions, threshold)
    part, parts = float(recall).as_integer_ratio()
    remaining = total  # chance of more than ``needed``
    for needed, chance in enumerate(chances):
        remaining -= chance
        if remaining * parts < part * total:
            return needed
    return functions


def _chances(functions: int, similarity: float) -> tuple[Iterator[int], int]:
    """The chances of 0, 1, ..., ``functions`` collisions as shares of a whole number.

    A float is a fraction, so they are exact; as floats they would leave its range from about a thousand functions on.
    """
    part, denominator = float(similarity).as_integer_ratio()
    return _terms(functions, part, denominator - part), denominator**functions


def _terms(n: int, p: int, q: int) -> Iterator[int]:
    """The terms ``C(n, m) p^m q^(n - m)`` of ``(p + q)^n``, each from the one before."""
    if not q:
        yield from [0] * n
        yield p**n
        return
    term = q**n
    for m in range(n + 1):
        yield term
        term = term * ((n - m) * p) // ((m + 1) * q)
