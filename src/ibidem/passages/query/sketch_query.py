"""What a query asks of the sketch of a passage before the passage is looked at."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.sketch.one_permutation import EMPTY_KEY

__all__ = ["Asked"]


class Asked(NamedTuple):
    """What is asked of the sketch of a passage.

    Attributes:
        keys: int64 [k], the query's keys; negative where it has none.
        counts: int64 [k], what it counts to have the same key.
        least: the least sum of these counts.
        reach: the most starts that a window has.
    """

    keys: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    least: int
    reach: int

    @property
    def collisions(self) -> float:
        """The least sum of counts, in collisions of what counts most."""
        return self.least / max(1, int(self.counts.max(initial=0)))

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Under which functions the windows of the query's key are empty: they hold the ends from each start on."""
        empty: npt.NDArray[np.bool_] = self.keys == EMPTY_KEY
        return empty
