"""The tables of an index by bands: for each band of the signatures, which keys have which values in it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from ibidem.sketches.banding import Banding

Bucket = dict[Hashable, None]
"""The keys of one value of a band, in the order in which they came."""


def bytes_of_values(values: NDArray[Any]) -> bytes:
    """The values of a band as bytes whose order is the order of the numbers, if these are unsigned."""
    return values.astype(values.dtype.newbyteorder(">")).tobytes()


class BandTables:
    """One hash table a band, from the values of the band to the keys that have them.

    Args:
        banding: how signatures are cut.
        hashfunc: shortens the bytes of a band, which saves room; two bands of the same hash count as equal.
    """

    def __init__(self, banding: Banding, hashfunc: Callable[[bytes], bytes] | None = None) -> None:
        self.banding = banding
        self.hashfunc = hashfunc
        self._tables: list[dict[bytes, Bucket]] = [{} for _ in range(banding.bands)]

    def bands(self, values: NDArray[Any]) -> Iterator[bytes]:
        """The keys of a signature in the tables, one for each band."""
        for start in range(0, self.banding.num_hashes, self.banding.rows):
            band = bytes_of_values(values[start : start + self.banding.rows])
            yield band if self.hashfunc is None else self.hashfunc(band)

    def insert(self, key: Hashable, values: NDArray[Any]) -> None:
        """Add a key under each band of its signature."""
        for table, band in zip(self._tables, self.bands(values), strict=True):
            table.setdefault(band, {})[key] = None

    def remove(self, key: Hashable, values: NDArray[Any]) -> None:
        """Take a key out, and the buckets that held nothing else."""
        for table, band in zip(self._tables, self.bands(values), strict=True):
            del table[band][key]
            if not table[band]:
                del table[band]

    def candidates(self, values: NDArray[Any], bands: int | None = None) -> set[Hashable]:
        """The keys that share a band with a signature; only the first ``bands`` are used, if given."""
        keys: set[Hashable] = set()
        for table, band in zip(self._tables[:bands], self.bands(values), strict=False):
            keys.update(table.get(band, ()))
        return keys

    @property
    def views(self) -> list[Mapping[bytes, Bucket]]:
        """The tables, which cannot be changed from outside."""
        return [MappingProxyType(table) for table in self._tables]

    def counts(self, keys: Iterable[Hashable] | None = None) -> list[dict[bytes, int]]:
        """For each band, how many keys share each of its values; only those of ``keys`` are counted, if given."""
        if keys is None:
            return [{band: len(bucket) for band, bucket in table.items()} for table in self._tables]
        key_set = set(keys)
        all_counts = [{band: len(key_set & bucket.keys()) for band, bucket in table.items()} for table in self._tables]
        return [{band: count for band, count in table.items() if count} for table in all_counts]
