"""Fingerprints by division in GF(2)[x] (Rabin, *Fingerprinting by random polynomials*, 1981).

A string of bits, with a 1 put before it, is a polynomial ``A(x)`` over GF(2); its fingerprint is ``A(x) x^z mod P(x)``
for a random irreducible ``P`` of degree ``d``, hence a number of ``d`` bits. The factor ``x^z`` stands for null bytes
behind the string, as many as ``d`` bits need: without it, strings that differ in their last letter would have
fingerprints that differ in their last eight bits alone (Broder 1997, section 4.1). Unlike with any fixed hash
function, what goes wrong is bounded for *all* strings: whatever ``n`` distinct strings of at most ``m`` bits somebody
chose before ``P`` was drawn, two of them share a fingerprint with a probability below ``n^2 m / 2^d`` (Broder, *Some
applications of Rabin's fingerprinting method*, 1993). The product of their differences has a degree of at most ``n^2
m / 2``, so at most ``n^2 m / 2d`` irreducible factors of degree ``d``, and there are nearly ``2^d / d`` polynomials
to draw from.

Polynomials are Python integers here: bit ``i`` is the coefficient of ``x^i``.
"""

import math
import random
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import kernel

# A byte is shifted in at a time, and a fingerprint has the room of a uint64.
_SMALLEST, _LARGEST = 8, 64


def remainder(dividend: int, divisor: int) -> int:
    """``dividend mod divisor`` over GF(2), by long division."""
    length = divisor.bit_length()
    while dividend.bit_length() >= length:
        dividend ^= divisor << (dividend.bit_length() - length)
    return dividend


def is_irreducible(polynomial: int) -> bool:
    """Whether no polynomials of lower degree, but 1, divide it (Rabin's test).

    One of degree ``d`` is irreducible if it divides ``x^(2^d) - x`` and, for each prime ``q`` that divides ``d``, has
    nothing in common with ``x^(2^(d / q)) - x``.

    >>> is_irreducible(0b111), is_irreducible(0b101)  # x^2 + x + 1, and (x + 1)^2
    (True, False)
    """
    degree = polynomial.bit_length() - 1
    if degree < 1:
        return False
    power, powers = remainder(0b10, polynomial), []
    for _ in range(degree):  # x^(2^i), by squaring
        powers.append(power)
        power = remainder(_square(power), polynomial)
    alone = all(_greatest_common_divisor(polynomial, powers[degree // q] ^ 0b10) == 1 for q in _prime_factors(degree))
    return alone and power == remainder(0b10, polynomial)


def draw_irreducible(degree: int, seed: int) -> int:
    """An irreducible polynomial of a ``degree`` from 1, drawn at random under ``seed``; all are equally likely."""
    if degree < 1:
        raise ValueError(f"the degree of an irreducible polynomial is 1 or more, not {degree}")
    source = random.Random(seed)
    while True:  # one in about ``degree`` is
        candidate = 1 << degree | source.getrandbits(degree)
        if is_irreducible(candidate):
            return candidate


def collision_bound(strings: int, bits: int, degree: int = 64) -> float:
    """Above the probability that any two of so many distinct strings, of ``bits`` at most, share a fingerprint.

    >>> collision_bound(10**6, 8 * 40) < 2e-5
    True
    """
    return min(1.0, float(strings**2 * (bits + 1) / 2**degree))  # with the 1 that is put before a string


def pair_collision_bound(bits: int, degree: int = 64) -> float:
    """Above the probability that two given strings, of ``bits`` at most, share a fingerprint (Broder 1997, section
    4.1).

    >>> pair_collision_bound(400, 40) < 1e-9
    True
    """
    return min(1.0, (bits + 1) / 2.0 ** (degree - 1))  # with the 1 that is put before a string


def expected_distinct(elements: int, bits: int) -> float:
    """How many distinct ids of ``bits`` that many elements are expected to have, if ids are drawn evenly.

    ``2^l (1 - (1 - 2^-l)^n)``, which is about ``n - n (n - 1) / 2^(l + 1)`` (Broder 1997, section 4.1).

    >>> round(expected_distinct(1000, 16), 2)
    992.42
    """
    return float(-math.expm1(elements * math.log1p(-(2.0**-bits))) * 2.0**bits)


def distinct_tail(deviation: float) -> float:
    """Above the probability that the number of ids of ``n`` elements is off its mean by ``deviation * sqrt(n)``.

    Azuma's inequality (Broder 1997, section 4.1).
    """
    return min(1.0, math.exp(-(deviation**2) / 2))


def resemblance_error(elements: int, bits: int) -> float:
    """How far off the resemblance of two documents may be for ids of ``bits``, with a probability above 0.999.

    ``elements`` are the shingles of either document (Broder 1997, section 4.1).

    >>> resemblance_error(1000, 40)
    1.862645149230957e-06
    """
    return min(1.0, elements / 2.0 ** (bits - 11))


class Rabin(NamedTuple):
    """A drawn polynomial, and the tables that bring a byte into a fingerprint and out of it again.

    Attributes:
        polynomial: the irreducible polynomial.
        degree: its degree, the bits of a fingerprint.
        shifted: uint64 [256], ``t x^degree mod P`` for each byte ``t``: what is shifted out above.
        entering: uint64 [256], ``t x^z mod P`` for each byte ``t``: what comes in, with the null bytes behind it.
    """

    polynomial: int
    degree: int
    shifted: NDArray[np.uint64]
    entering: NDArray[np.uint64]

    @property
    def nulls(self) -> int:
        """How many null bytes follow every string."""
        return -(-self.degree // 8)

    @classmethod
    def of(cls, degree: int = 64, seed: int = 0) -> "Rabin":
        """The function that ``seed`` draws.

        Raises:
            ValueError: a degree that is not from 8 to 64.
        """
        if not _SMALLEST <= degree <= _LARGEST:
            raise ValueError(f"fingerprints have {_SMALLEST} to {_LARGEST} bits, not {degree}")
        return _draw_function(degree, seed)

    def tables(self, window: int) -> NDArray[np.uint64]:
        """The tables of ``fill_windows``, uint64 [3, 256]: ``shifted``, ``entering``, and what each byte has become
        ``window`` bytes on, where it leaves."""
        leaving = _make_table(self.polynomial, 8 * (window + self.nulls))
        return np.stack([self.shifted, self.entering, leaving])

    def fingerprint(self, data: bytes) -> int:
        """The fingerprint of a whole string.

        >>> function = Rabin.of(31, seed=7)
        >>> function.fingerprint(b"ab") == remainder(int.from_bytes(b"\\x01ab" + bytes(4), "big"), function.polynomial)
        True
        """
        octets = np.frombuffer(data, np.uint8)
        return int(_append_bytes(octets, self.entering[1], np.uint64(self.degree), self.shifted, self.entering))


def roll_windows(function: Rabin, data: NDArray[np.uint8], window: int, step: int = 1) -> NDArray[np.uint64]:
    """The fingerprints of all windows of ``window`` bytes that start at a multiple of ``step``: uint64."""
    if len(data) < window:
        return np.zeros(0, np.uint64)
    fingerprints = np.empty((len(data) - window) // step + 1, np.uint64)
    fill_windows(data, window, step, np.uint64(function.degree), function.tables(window), fingerprints)
    return fingerprints


def fingerprint_spans(
    function: Rabin, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """The fingerprints of the strings ``data[starts[i] : ends[i]]``, each from scratch: uint64 [n]."""
    fingerprints = np.empty(len(starts), np.uint64)
    _fill_spans(data, starts, ends, np.uint64(function.degree), function.shifted, function.entering, fingerprints)
    return fingerprints


@cache
def _draw_function(degree: int, seed: int) -> Rabin:
    polynomial = draw_irreducible(degree, seed)
    shifted, entering = _make_table(polynomial, degree), _make_table(polynomial, 8 * -(-degree // 8))
    shifted.flags.writeable = entering.flags.writeable = False  # they are shared
    return Rabin(polynomial, degree, shifted, entering)


def _make_table(polynomial: int, shift: int) -> NDArray[np.uint64]:
    """``t x^shift mod P`` for each byte ``t``, uint64 [256]."""
    power = _raise_x(shift, polynomial)
    bits = [remainder(power << bit, polynomial) for bit in range(8)]
    table = np.zeros(256, np.uint64)
    for bit, value in enumerate(bits):
        table[1 << bit : 2 << bit] = table[: 1 << bit] ^ np.uint64(value)
    return table


def _raise_x(exponent: int, polynomial: int) -> int:
    """``x^exponent mod P``, by squaring."""
    power = 1
    for bit in f"{exponent:b}":
        power = remainder(_square(power) << int(bit), polynomial)
    return power


def _square(polynomial: int) -> int:
    """The square over GF(2), which is the polynomial with a 0 between any two of its bits."""
    return int("0".join(f"{polynomial:b}"), 2)


def _greatest_common_divisor(a: int, b: int) -> int:
    """The greatest common divisor."""
    while b:
        a, b = b, remainder(a, b)
    return a


def _prime_factors(number: int) -> list[int]:
    return [q for q in range(2, number + 1) if number % q == 0 and all(q % p for p in range(2, q))]


@kernel
def _append_bytes(
    data: NDArray[np.uint8],
    state: np.uint64,
    degree: np.uint64,
    shifted: NDArray[np.uint64],
    entering: NDArray[np.uint64],
) -> np.uint64:
    """The fingerprint ``state`` with the bytes of ``data`` behind it."""
    above = degree - np.uint64(8)
    mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(64) - degree)
    for i in range(data.shape[0]):
        state = ((state << np.uint64(8)) & mask) ^ shifted[state >> above] ^ entering[data[i]]
    return state


@kernel
def fill_windows(
    data: NDArray[np.uint8],
    window: int,
    step: int,
    degree: np.uint64,
    tables: NDArray[np.uint64],
    fingerprints: NDArray[np.uint64],
) -> None:
    """Fill ``fingerprints`` with those of all windows that start at a multiple of ``step``.

    A byte comes in below, and one goes out above. The 1 before a window is taken off while it moves. ``tables`` are
    those of ``Rabin.tables`` for ``window``; data of one window, of any size, needs no more than the first two.
    """
    shifted, entering, leaving = tables[0], tables[1], tables[2]
    above = degree - np.uint64(8)
    mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(64) - degree)
    leading = leaving[1]
    fingerprints[0] = _append_bytes(data[:window], entering[1], degree, shifted, entering)
    state = fingerprints[0] ^ leading
    count, until = 1, step
    for i in range(window, data.shape[0]):
        state = ((state << np.uint64(8)) & mask) ^ shifted[state >> above] ^ entering[data[i]]
        state = state ^ leaving[data[i - window]]
        until -= 1
        if until == 0:
            fingerprints[count] = state ^ leading
            count, until = count + 1, step


@kernel
def _fill_spans(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    degree: np.uint64,
    shifted: NDArray[np.uint64],
    entering: NDArray[np.uint64],
    fingerprints: NDArray[np.uint64],
) -> None:
    """Fill ``fingerprints`` [n] with those of ``data[starts[i] : ends[i]]``."""
    for i in range(starts.shape[0]):
        fingerprints[i] = _append_bytes(data[starts[i] : ends[i]], entering[1], degree, shifted, entering)
