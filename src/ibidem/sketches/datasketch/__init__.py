"""Signatures and indexes in memory under the names that users of datasketch know.

``from datasketch import MinHash, MinHashLSH`` becomes ``from ibidem.sketches.datasketch import MinHash, MinHashLSH``.
The guide has a table of what is supported.
"""

from ibidem.sketches.datasketch.b_bit import bBitMinHash
from ibidem.sketches.datasketch.ensemble import MinHashLSHEnsemble
from ibidem.sketches.datasketch.forest import MinHashLSHForest
from ibidem.sketches.datasketch.lsh import MinHashLSH, MinHashLSHDeletionSession, MinHashLSHInsertionSession
from ibidem.sketches.datasketch.permutations import permuted_signatures, signature_steps
from ibidem.sketches.datasketch.signature import MinHash
from ibidem.sketches.datasketch.weighted import WeightedMinHash, WeightedMinHashGenerator

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
