"""Data sets of Ray Data: batches of Arrow, in actors that open an index once."""

from typing import Any

from ibidem.integrations.arrow import Annotator, LeakAnnotator, MatchAnnotator

__all__ = ["add_leaks", "add_matches"]


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
