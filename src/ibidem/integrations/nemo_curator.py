"""A stage for pipelines of NeMo Curator, on the processor."""

from typing import Any

from ibidem.integrations.arrow import MatchAnnotator

try:
    from nemo_curator.stages.base import ProcessingStage
    from nemo_curator.tasks import DocumentBatch

    _Stage: Any = ProcessingStage[DocumentBatch, DocumentBatch]
except ImportError:  # the class says so when it is used
    _Stage, DocumentBatch = object, None

__all__ = ["MatchStage"]


class MatchStage(_Stage):  # type: ignore[misc]
    """Adds to each ``DocumentBatch`` a column of the passages that its texts share with an index.

    Args:
        index: a path that all workers can read, or a URL.
        options: those of :class:`ibidem.integrations.arrow.MatchAnnotator`.
    """

    name = "ibidem_matches"

    def __init__(self, index: str, *, text: str = "text", **options: Any) -> None:
        if DocumentBatch is None:
            raise ImportError("this is a stage of NeMo Curator: pip install nemo-curator")
        self._text, self._annotate = text, MatchAnnotator(index, text=text, **options)

    def inputs(self) -> tuple[list[str], list[str]]:
        """What a batch must have: its table, and the column of texts."""
        return ["data"], [self._text]

    def outputs(self) -> tuple[list[str], list[str]]:
        """What it has then: the new column, too."""
        return ["data"], [self._text, self._annotate.column]

    def process(self, task: Any) -> Any:
        """The batch with the new column."""
        return DocumentBatch(
            dataset_name=task.dataset_name,
            data=self._annotate(task.to_pyarrow()),
            _metadata=task._metadata,
            _stage_perf=task._stage_perf,
        )
