"""A query's sketch, the score that the sketch of a similar passage reaches, and the plan that has both."""

from typing import NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.passages.query.plan import QueryPlan
from ibidem.sketches.one_permutation import EMPTY_KEY


class SketchQuery(NamedTuple):
    """The sketch of a query, and the condition on the sketch of a passage.

    Two sketches *collide* under a function if they have the same key. The score of a passage is the sum of the
    ``worths`` of the functions under which it collides with the query.

    Attributes:
        keys: int64 [k], the query's keys; negative where it has none.
        worths: int64 [k], what a collision under each function adds to the score.
        least: the least score of a passage that is worth a look.
        reach: the most starts that a window has.
    """

    keys: npt.NDArray[np.int64]
    worths: npt.NDArray[np.int64]
    least: int
    reach: int

    @property
    def collisions_needed(self) -> float:
        """The least score, counted in collisions of the highest worth."""
        return self.least / max(1, int(self.worths.max(initial=0)))

    @property
    def is_empty(self) -> npt.NDArray[np.bool_]:
        """The functions, bool [k], whose windows of the query's key are empty: they hold all ends from each start."""
        empty: npt.NDArray[np.bool_] = self.keys == EMPTY_KEY
        return empty


class SketchPlan(QueryPlan, frozen=True, kw_only=True):
    """The plan of a search in an index of sketches.

    Attributes:
        sketch: the query's sketch.
    """

    sketch: SketchQuery

    @classmethod
    def of(cls, plan: QueryPlan, sketch: SketchQuery) -> Self:
        """The ``plan`` with the sketch of its query."""
        return cls(**msgspec.structs.asdict(plan), sketch=sketch)
