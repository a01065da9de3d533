"""Signatures and indexes in memory under the names that users of datasketch know.

``from datasketch import MinHash, MinHashLSH`` becomes ``from ibidem.minhash import MinHash, MinHashLSH``. The guide has
a table of what is there and what is not.
"""

from ibidem.minhash.b_bit import bBitMinHash
from ibidem.minhash.ensemble import MinHashLSHEnsemble
from ibidem.minhash.forest import MinHashLSHForest
from ibidem.minhash.lsh import MinHashLSH, MinHashLSHDeletionSession, MinHashLSHInsertionSession
from ibidem.minhash.permutations import permuted_signatures, signature_steps
from ibidem.minhash.signature import MinHash
from ibidem.minhash.weighted import WeightedMinHash, WeightedMinHashGenerator

__all__ = [
    "MinHash",
    "MinHashLSH",
    "MinHashLSHDeletionSession",
    "MinHashLSHEnsemble",
    "MinHashLSHForest",
    "MinHashLSHInsertionSession",
    "WeightedMinHash",
    "WeightedMinHashGenerator",
    "bBitMinHash",
    "permuted_signatures",
    "signature_steps",
]
