"""Numbers of 64 bits for every window of a sequence, or for each of several elements: what sketches are made of."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64, spread
from ibidem.kernels import kernel
from ibidem.sketches.rabin import Rabin, roll_windows

BASE = np.uint64(0x94D049BB133111EB)
"""3 modulo 8, so that two bytes and the same two in exchanged places are distinguished by all bits but one or two."""


Elements = Iterable[int | np.integer[Any] | str | bytes] | NDArray[Any]
"""The elements of a set: numbers below 2^64, strings or bytes."""


def fingerprints(
    data: bytes | NDArray[Any], window: int, method: str = "mix", *, seed: int = 0, degree: int = 64
) -> NDArray[np.uint64]:
    """The fingerprint of each window of ``window`` consecutive items, uint64 [n - window + 1].

    Args:
        data: bytes, or an array [n] of unsigned integers, such as the ids of tokens.
        window: items in a window; a sequence that is shorter has none.
        method: ``"mix"`` is a polynomial of mixed bytes modulo 2^64, mixed again. Windows that differ in one byte never
            share a fingerprint, others do as if by chance; but a text made for it, of thousands of bytes, can make any
            such polynomial collide. ``"rabin"`` is the function of ``ibidem.sketches.rabin``, whose bound on collisions
            holds for all texts.
        seed: names the function.
        degree: bits of a fingerprint by ``"rabin"``, 8 to 64.

    Raises:
        ValueError: an unknown method, an empty window, or a degree out of range.
        TypeError: data of another kind.
    """
    octets, size = _as_bytes(data)
    if window < 1:
        raise ValueError(f"a window is made of 1 item or more, not of {window}")
    if method == "rabin":
        return roll_windows(Rabin.of(degree, seed), octets, window * size, size)
    if method != "mix":
        raise ValueError(f"no method of fingerprinting is called {method!r}; there are mix, rabin")
    if len(octets) < window * size:
        return np.zeros(0, np.uint64)
    values: NDArray[np.uint64] = _mix_windows(octets, window * size, size, np.uint64(seed & 0xFFFFFFFFFFFFFFFF))
    return values


def elements_of(elements: Elements) -> NDArray[np.uint64]:
    """Elements of a set as numbers, uint64 [n]: integers as they are, strings and bytes by xxh3.

    A string is its UTF-8 bytes, so ``"a"`` and ``b"a"`` are one element.

    Raises:
        TypeError: an element of another kind, or a string where a collection of strings is meant.
        ValueError: an integer that is negative or has more than 64 bits.
    """
    if isinstance(elements, (str, bytes)):
        raise TypeError("elements are given as a collection: a string or bytes alone would be taken apart")
    if isinstance(elements, np.ndarray) and elements.dtype.kind in "iu":
        if elements.dtype.kind == "i" and elements.size and int(elements.min()) < 0:
            raise ValueError(f"an element is a number from 0 to 2^64 - 1, not {elements.min()}")
        return elements.astype(np.uint64).ravel()
    return np.array([_number(element) for element in elements], np.uint64)


def hash_values(elements: NDArray[np.uint64], seed: np.uint64) -> NDArray[np.uint64]:
    """The hash values of elements [n] under the function that ``seed`` names, uint64 [n]; no two elements share one."""
    values: NDArray[np.uint64] = _hash_values(elements, seed)
    return values


def _as_bytes(data: bytes | NDArray[Any]) -> tuple[NDArray[np.uint8], int]:
    """The bytes of a sequence, uint8, and how many an item has; the lowest byte of an integer is its first."""
    if not isinstance(data, np.ndarray):
        return np.frombuffer(data, np.uint8), 1
    if data.dtype.kind != "u" or data.ndim != 1:
        raise TypeError(f"windows are cut from an array [n] of unsigned integers, not {data.dtype} {data.shape}")
    little = data.astype(data.dtype.newbyteorder("<"), copy=False)
    return np.frombuffer(little.tobytes(), np.uint8), data.dtype.itemsize


def _number(element: Any) -> int:
    if isinstance(element, str):
        element = element.encode("utf-8", "surrogatepass")
    if isinstance(element, (bytes, bytearray, memoryview)):
        return xxhash.xxh3_64_intdigest(element)
    if isinstance(element, (int, np.integer)):
        if not 0 <= element < 2**64:
            raise ValueError(f"an element is a number from 0 to 2^64 - 1, not {element}")
        return int(element)
    raise TypeError(f"an element is a number, a string or bytes, not {type(element).__name__}")


@kernel
def _mix_windows(data: NDArray[np.uint8], window: int, step: int, seed: np.uint64) -> NDArray[np.uint64]:
    """Fingerprints of windows: a byte comes in at the low end of the polynomial, and one goes out at the high end."""
    entering, leaving = np.empty(256, np.uint64), np.empty(256, np.uint64)
    power = np.uint64(1)
    for _ in range(window):
        power = power * BASE
    for value in range(256):
        entering[value] = mix64(mix64(seed + GOLDEN) ^ np.uint64(value))
        leaving[value] = entering[value] * power
    state = np.uint64(0)
    for i in range(window):
        state = state * BASE + entering[data[i]]
    values = np.empty((data.shape[0] - window) // step + 1, np.uint64)
    values[0] = mix64(state)
    count, until = 1, step
    for i in range(window, data.shape[0]):
        state = state * BASE + (entering[data[i]] - leaving[data[i - window]])
        until -= 1
        if until == 0:
            values[count] = mix64(state)
            count, until = count + 1, step
    return values


@kernel
def _hash_values(elements: NDArray[np.uint64], seed: np.uint64) -> NDArray[np.uint64]:
    values = np.empty(elements.shape[0], np.uint64)
    for i in range(elements.shape[0]):
        values[i] = spread(elements[i], seed)
    return values
