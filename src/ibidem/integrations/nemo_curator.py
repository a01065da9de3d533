"""Stages for pipelines of NeMo Curator, on the processor."""

from typing import Any

from ibidem.integrations.arrow import Annotator, LeakAnnotator, MatchAnnotator

try:
    from nemo_curator.stages.base import ProcessingStage
    from nemo_curator.tasks import DocumentBatch

    _Stage: Any = ProcessingStage[DocumentBatch, DocumentBatch]
except ImportError:  # the classes say so when they are used
    _Stage, DocumentBatch = object, None

__all__ = ["LeakStage", "MatchStage"]


class _AnnotatingStage(_Stage):  # type: ignore[misc]
    """Adds a column to each ``DocumentBatch``."""

    def __init__(self, annotate: Annotator) -> None:
        if DocumentBatch is None:
            raise ImportError("this is a stage of NeMo Curator: pip install nemo-curator")
        self._annotate = annotate

    def inputs(self) -> tuple[list[str], list[str]]:
        """The inputs of a batch: its table, and the column of texts."""
        return ["data"], [self._annotate.text]

    def outputs(self) -> tuple[list[str], list[str]]:
        """The outputs of a batch: its inputs and the new column."""
        return ["data"], [self._annotate.text, self._annotate.column]

    def process(self, task: Any) -> Any:
        """The batch with the new column."""
        return DocumentBatch(
            dataset_name=task.dataset_name,
            data=self._annotate(task.to_pyarrow()),
            _metadata=task._metadata,
            _stage_perf=task._stage_perf,
        )


class MatchStage(_AnnotatingStage):
    """Adds a column of the passages that the texts share with an index.

    Args:
        index: a path that all workers can read, or a URL.
        options: those of :class:`ibidem.integrations.arrow.MatchAnnotator`.
    """

    name = "ibidem_matches"

    def __init__(self, index: str, **options: Any) -> None:
        super().__init__(MatchAnnotator(index, **options))


class LeakStage(_AnnotatingStage):
    """Adds a column of the items of evaluations that leak into the texts.

    Args:
        evals, sample, options: those of :class:`ibidem.integrations.arrow.LeakAnnotator`.
    """

    name = "ibidem_leaks"

    def __init__(self, evals: Any, sample: Any, **options: Any) -> None:
        super().__init__(LeakAnnotator(evals, sample, **options))
