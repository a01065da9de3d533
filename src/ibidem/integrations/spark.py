"""Data frames of Spark: record batches of Arrow in each partition (``mapInArrow``)."""

from functools import partial
from typing import Any

from ibidem.integrations.arrow import MatchAnnotator, annotate_batches

__all__ = ["add_matches"]


def add_matches(frame: Any, index: str, **options: Any) -> Any:
    """A ``pyspark.sql.DataFrame`` with a column of the passages that each text shares with an index.

    Args:
        index: a path that all workers can read, or a URL.
        options: those of :class:`ibidem.integrations.arrow.MatchAnnotator`.
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructType

    annotate = MatchAnnotator(index, **options)
    schema = StructType([*frame.schema.fields]).add(annotate.column, from_arrow_type(annotate.type))
    return frame.mapInArrow(partial(annotate_batches, annotate), schema)
