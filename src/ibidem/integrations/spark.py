"""Data frames of Spark: near-duplicates, and record batches of Arrow in each partition (``mapInArrow``)."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.arguments import NullTexts
from ibidem.engine import Engine, Step
from ibidem.engine.engine import do_task
from ibidem.integrations.arrow import Annotator, LeakAnnotator, MatchAnnotator, annotate_batches
from ibidem.integrations.deduplication import Blocks
from ibidem.resources import Resources

__all__ = ["add_leaks", "add_matches", "deduplicate"]


def deduplicate(
    frame: Any,
    folder: str | os.PathLike[str],
    *,
    text: str = "text",
    id: str = "id",
    memory: str = "1G",
    null: NullTexts = "error",
    **options: Any,
) -> Any:
    """A ``pyspark.sql.DataFrame`` without its near-duplicates: those rows that ``ibidem dedup`` keeps of them.

    The frame is read at once for signatures, partition by partition, and again when what is returned is read. Spark's
    workers compare the documents.

    Args:
        folder: a new folder that all workers see, for what the tasks leave for each other. ``clusters.parquet`` in it
            lists what is similar.
        text, id: the columns of texts, and of ids, which must differ.
        memory: of a task, about.
        null: what becomes of a row whose text is null: it is an ``"error"``, or ``"keep"`` keeps it, compared with
            nothing, and ``"drop"`` leaves it out.
        options: those of :func:`ibidem.deduplicate` that say what a near-duplicate is and which stays: ``threshold``,
            ``shingle``, ``normalize``, ``keep``, ``cluster_mode``, ``recall``, ``num_hashes``, ``seed``.

    Raises:
        CorpusError: a row cannot be used, or two have one id.
        FileExistsError: the folder is there already.
    """
    blocks = Blocks.of(folder, text, id, memory, null=null, **options)
    names = frame.mapInArrow(partial(_digest_partition, blocks), "digests string").collect()
    engine = OnSpark(frame.sparkSession.sparkContext, Resources.of(memory, 1, None))
    keep_rows = blocks.decide(engine, [row["digests"] for row in names])
    return frame.mapInArrow(partial(annotate_batches, keep_rows), frame.schema)


def _digest_partition(blocks: Blocks, batches: Iterator[Any]) -> Iterator[Any]:
    """The name of the digests of a partition, in a batch."""
    import pyarrow

    yield pyarrow.RecordBatch.from_pydict({"digests": [blocks.digest(batches)]})


class OnSpark(Engine):
    """Runs the tasks of a step on the workers of Spark."""

    def __init__(self, context: Any, resources: Resources) -> None:
        super().__init__(resources)
        self._context = context

    def _run(self, step: Step[Any], tasks: Sequence[tuple[Any, Path]]) -> Iterable[object]:
        run = partial(_do_on_worker, step, self.resources.memory)
        done: Iterable[object] = self._context.parallelize(tasks, max(1, len(tasks))).map(run).toLocalIterator()
        return done


def _do_on_worker(step: Step[Any], memory: int, task: tuple[Any, Path]) -> str:
    do_task(step, *task, Resources.of(memory, 1, None), is_durable=False)
    return str(task[1])


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
