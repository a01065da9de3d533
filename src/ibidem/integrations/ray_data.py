"""Data sets of Ray Data: near-duplicates, and batches of Arrow in actors that open an index once."""

import os
from functools import partial
from typing import Any

from ibidem.arguments import NullTexts
from ibidem.engine import open_engine
from ibidem.integrations.arrow import Annotator, LeakAnnotator, MatchAnnotator
from ibidem.integrations.deduplication import Blocks

__all__ = ["add_leaks", "add_matches", "deduplicate"]


def deduplicate(
    dataset: Any,
    folder: str | os.PathLike[str],
    *,
    text: str = "text",
    id: str = "id",
    memory: str = "1G",
    null: NullTexts = "error",
    **options: Any,
) -> Any:
    """A ``ray.data.Dataset`` without its near-duplicates: those rows that ``ibidem dedup`` keeps of them.

    The data set is read at once for signatures, and again when what is returned is read. Its tasks compare the
    documents, as many at once as the cluster has processors for.

    Args:
        folder: a new folder that all nodes see, for what the tasks leave for each other. ``clusters.parquet`` in it
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
    names = dataset.map_batches(partial(_digest_block, blocks), batch_format="pyarrow", batch_size=None)
    names.context.execution_options.preserve_order = True  # the first of similar documents stays
    with open_engine("auto", memory=memory) as engine:
        keep_rows = blocks.decide(engine, [row["digests"] for row in names.take_all()])
    return dataset.map_batches(keep_rows, batch_format="pyarrow")


def _digest_block(blocks: Blocks, block: Any) -> Any:
    """The name of the digests of a block, in a table; those of none are nowhere."""
    import pyarrow

    names = [blocks.digest([block])] if block.num_rows else []
    return pyarrow.table({"digests": pyarrow.array(names, pyarrow.string())})


def add_matches(dataset: Any, index: str, *, concurrency: int = 1, **options: Any) -> Any:
    """A ``ray.data.Dataset`` with a column of the passages that each text shares with an index.

    Args:
        index: a path that all nodes can read, or a URL.
        concurrency: how many actors hold the index open.
        options: those of :class:`ibidem.integrations.arrow.MatchAnnotator`.
    """
    return _annotate(dataset, MatchAnnotator, (index,), options, concurrency)


def add_leaks(dataset: Any, evals: Any, sample: Any, *, concurrency: int = 1, **options: Any) -> Any:
    """A ``ray.data.Dataset`` with a column of the items of evaluations that leak into each text.

    Args:
        evals, sample, options: those of :class:`ibidem.integrations.arrow.LeakAnnotator`.
        concurrency: how many actors hold the items.
    """
    return _annotate(dataset, LeakAnnotator, (evals, sample), options, concurrency)


def _annotate(
    dataset: Any, kind: type[Annotator], arguments: tuple[Any, ...], options: dict[str, Any], concurrency: int
) -> Any:
    import ray.data

    return dataset.map_batches(
        kind,
        fn_constructor_args=arguments,
        fn_constructor_kwargs=options,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=concurrency),
    )
