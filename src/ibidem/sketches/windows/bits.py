"""Bits of a word: frozen primitives of kernels, written into the kernels that call them."""

import numpy as np

from ibidem.kernels import inlined

_ONE = np.uint64(1)


@inlined
def highest_bit(word: np.uint64) -> int:
    """Position of the highest set bit of a word that is not zero; LLVM makes one instruction of this loop."""
    bits = 0
    while word != np.uint64(0):
        word >>= _ONE
        bits += 1
    return bits - 1


@inlined
def lowest_bit(word: np.uint64) -> int:
    """Position of the lowest set bit of a word that is not zero; LLVM makes one instruction of this loop."""
    word = word & (~word + _ONE)
    bits = 0
    while word != np.uint64(0):
        word >>= _ONE
        bits += 1
    return bits - 1
