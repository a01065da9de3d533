"""Kernels that take and give everything that kernels may, for ``test_machine_code``."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Box(NamedTuple):
    corners: Ints
    weights: Floats
    number: int


@inlined
def twice(value: float) -> float:
    return value + value


@kernel
def add_up(values: Floats, count: int) -> float:
    total = 0.0
    for i in range(min(count, values.size)):
        total += twice(values[i])
    return total


@kernel
def divide(values: Ints, by: int, strict: bool, share: float) -> tuple[Ints, npt.NDArray[np.uint32], int, bool, float]:
    kept = np.empty(values.size, np.int64)
    count = 0
    for i in range(values.size):
        if values[i] % by == 0:
            kept[count] = values[i]
            count += 1
    square = np.arange(4, dtype=np.uint32).reshape(2, 2)
    return kept[:count], square, count, strict and count == values.size, share * count


@kernel
def rest(values: Ints) -> Ints:
    return values[1:]


@kernel
def fill(values: Ints, number: int) -> None:
    for i in range(values.size):
        values[i] = number


@kernel
def mix(value: np.uint64) -> np.uint64:
    return (value ^ (value >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)


@kernel
def widen(box: Box, by: int) -> Box:
    return Box(box.corners + by, box.weights * 2.0, box.number + 1)


@kernel
def gather(values: npt.NDArray[np.uint32]) -> int:
    seen = [np.int64(0)]
    for i in range(values.size):
        if values[i] % np.uint32(2):
            seen.append(np.int64(values[i]))
    total = np.int64(0)
    for value in seen:
        total += value
    return total


@kernel
def refuse(number: int) -> Floats:
    if number > 3:
        raise ValueError("more than three")
    return np.zeros(number)


def call_all() -> None:
    """Call each kernel with every type that it is to be compiled for."""
    ints, floats = np.arange(5), np.ones(3)
    add_up(floats, 2)
    divide(ints, 2, True, 0.5)
    rest(ints)
    fill(ints, 1)
    mix(np.uint64(3))
    widen(Box(ints, floats, 1), 2)
    gather(np.arange(3, dtype=np.uint32))
    frozen = np.arange(3, dtype=np.uint32)
    frozen.flags.writeable = False
    gather(frozen)
    refuse(1)
