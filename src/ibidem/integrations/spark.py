"""Data frames of Spark: record batches of Arrow in each partition (``mapInArrow``)."""

from functools import partial
from typing import Any

from ibidem.integrations.arrow import Annotator, LeakAnnotator, MatchAnnotator, annotate_batches

__all__ = ["add_leaks", "add_matches"]


def add_matches(frame: Any, index: str, **options: Any) -> Any:
    """A ``pyspark.sql.DataFrame`` with a column of the passages that each text shares with an index.

    Args:
        index: a path that all workers can read, or a URL.
        options: those of :class:`ibidem.integrations.arrow.MatchAnnotator`.
    """
    return _annotate(frame, MatchAnnotator(index, **options))


def add_leaks(frame: Any, evals: Any, sample: Any, **options: Any) -> Any:
    """A ``pyspark.sql.DataFrame`` with a column of the items of evaluations that leak into each text.

    Args:
        evals, sample, options: those of :class:`ibidem.integrations.arrow.LeakAnnotator`.
    """
    return _annotate(frame, LeakAnnotator(evals, sample, **options))


def _annotate(frame: Any, annotate: Annotator) -> Any:
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructType

    schema = StructType([*frame.schema.fields]).add(annotate.column, from_arrow_type(annotate.type))
    return frame.mapInArrow(partial(annotate_batches, annotate), schema)
