"""Signatures of which only the lowest bits of each value are kept (Li and König, WWW 2010)."""

import struct

import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.sketches.datasketch.signature import MinHash
from ibidem.sketches.estimates import Estimate

_HEADER = struct.Struct("<4sBxxxIdQ")
_MAGIC = b"IBbb"
_CHECKSUM = struct.Struct("<Q")


class bBitMinHash:  # its name in datasketch
    """The lowest ``b`` bits of each value of a signature: less room, and an estimate that scatters more.

    Values of ``b`` bits agree by chance, too: with similarity ``J`` a place agrees with the probability
    ``C1 + (1 - C2) J`` (Li and König 2010, Theorem 1), which ``jaccard`` solves for ``J``. So the estimate is unbiased,
    and may lie below 0.

    Args:
        minhash: the signature.
        b: how many bits of each value, from 1 to 32.
        r: the number of elements of the set as a share of all elements that there are; 0 where these are many.

    Raises:
        ValueError: bits or a share that cannot be.

    >>> one, other = MinHash.bulk([range(900), range(100, 1000)], num_perm=1024)
    >>> round(bBitMinHash(one, 2).jaccard(bBitMinHash(other, 2)), 3)  # of 0.8
    0.812
    """

    def __init__(self, minhash: MinHash, b: int = 1, r: float = 0.0) -> None:
        if not 1 <= b <= 32:
            raise ValueError(f"1 to 32 bits of a value are kept, not {b}")
        if not 0 <= r < 1:
            raise ValueError(f"a set is a share of all elements, from 0 to less than 1, not {r}")
        self.seed, self.b, self.r = minhash.seed, int(b), float(r)
        self.hashvalues: NDArray[np.uint32] = (minhash.hashvalues & np.uint64(2**b - 1)).astype(np.uint32)

    def jaccard(self, other: "bBitMinHash") -> Estimate:
        """An unbiased estimate of the similarity of both sets.

        Raises:
            ValueError: the signatures have other functions, or keep other bits.
        """
        mine, theirs = ((signature.seed, len(signature.hashvalues), signature.b) for signature in (self, other))
        if mine != theirs:
            raise ValueError(
                "these signatures differ in their seed, number of values or bits: "
                f"{mine} cannot be compared with {theirs}"
            )
        c1, c2 = _chance_agreement(self.r, other.r, self.b)
        agreeing = float(np.mean(self.hashvalues == other.hashvalues))
        return Estimate((agreeing - c1) / (1 - c2), len(self.hashvalues))

    def bytesize(self) -> int:
        """The number of bytes that ``to_bytes`` gives."""
        return _HEADER.size + -(-len(self.hashvalues) * self.b // 8) + _CHECKSUM.size

    def to_bytes(self) -> bytes:
        """The signature as bytes, ``b`` bits a value."""
        places = np.arange(self.b, dtype=np.uint32)
        bits = (self.hashvalues[:, None] >> places) & np.uint32(1)
        header = _HEADER.pack(_MAGIC, self.b, len(self.hashvalues), self.r, self.seed)
        body = header + np.packbits(bits.astype(np.uint8).ravel(), bitorder="little").tobytes()
        return body + _CHECKSUM.pack(xxhash.xxh3_64_intdigest(body))

    @classmethod
    def from_bytes(cls, data: bytes) -> "bBitMinHash":
        """Read what ``to_bytes`` wrote.

        Raises:
            DamagedError: the bytes are no such signature, or not as they were written.
        """
        if len(data) < _HEADER.size + _CHECKSUM.size or not data.startswith(_MAGIC):
            raise DamagedError(f"{len(data)} bytes that are no signature of b bits")
        body = data[: -_CHECKSUM.size]
        if data[len(body) :] != _CHECKSUM.pack(xxhash.xxh3_64_intdigest(body)):
            raise DamagedError(f"a signature of {len(data)} bytes that are not as they were written")
        signature = cls.__new__(cls)
        _, signature.b, count, signature.r, signature.seed = _HEADER.unpack_from(body)
        bits = np.unpackbits(np.frombuffer(body, np.uint8, offset=_HEADER.size), bitorder="little")
        places = np.uint32(1) << np.arange(signature.b, dtype=np.uint32)
        signature.hashvalues = bits[: count * signature.b].reshape(count, signature.b).astype(np.uint32) @ places
        return signature

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return bBitMinHash.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return self.to_bytes() == other.to_bytes() if isinstance(other, bBitMinHash) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as datasketch has it

    def __repr__(self) -> str:
        return f"bBitMinHash(b={self.b}, r={self.r}), {len(self.hashvalues)} values of seed {self.seed}"


def _chance_agreement(r1: float, r2: float, b: int) -> tuple[float, float]:
    """``C1`` and ``C2`` of Li and König 2010, equations (5) and (6), for sets of the shares ``r1`` and ``r2``."""
    a1, a2 = (_a(r, b) for r in (r1, r2))
    if r1 + r2 == 0:
        return a1, a2
    return (a1 * r2 + a2 * r1) / (r1 + r2), (a1 * r1 + a2 * r2) / (r1 + r2)


def _a(r: float, b: int) -> float:
    """``A = r (1 - r)^(2^b - 1) / (1 - (1 - r)^(2^b))``, and its limit where ``r`` is 0."""
    values = 2.0**b
    if r == 0:
        return 1 / values
    log = np.log1p(-r)
    return float(r * np.exp((values - 1) * log) / -np.expm1(values * log))
