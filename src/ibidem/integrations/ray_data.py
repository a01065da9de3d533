"""Data sets of Ray Data: batches of Arrow, in actors that open an index once."""

from typing import Any

from ibidem.integrations.arrow import MatchAnnotator

__all__ = ["add_matches"]


def add_matches(dataset: Any, index: str, *, concurrency: int = 1, **options: Any) -> Any:
    """A ``ray.data.Dataset`` with a column of the passages that each text shares with an index.

    Args:
        index: a path that all nodes can read, or a URL.
        concurrency: how many actors hold the index open.
        options: those of :class:`ibidem.integrations.arrow.MatchAnnotator`.
    """
    return dataset.map_batches(
        MatchAnnotator,
        fn_constructor_args=(index,),
        fn_constructor_kwargs=options,
        batch_format="pyarrow",
        concurrency=concurrency,
    )
