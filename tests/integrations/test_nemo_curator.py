"""A stage of NeMo Curator; skipped unless the library is installed."""

from pathlib import Path

import pyarrow
import pytest

from ibidem.integrations.nemo_curator import LeakStage, MatchStage

from .samples import EVALS, build_index, make_documents, make_leaking, require_leak, require_marked, sample_of_texts

pytest.importorskip("nemo_curator", reason="nemo-curator is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_stage_adds_the_column_of_matches(tmp_path: Path) -> None:
    from nemo_curator.stages.base import ProcessingStage
    from nemo_curator.tasks import DocumentBatch

    stage = MatchStage(build_index(tmp_path), min_pair_length=10)
    assert isinstance(stage, ProcessingStage)
    batch = DocumentBatch(dataset_name="d", data=pyarrow.Table.from_pylist(make_documents()), _metadata={"a": 1})
    assert stage.validate_input(batch)
    marked = stage.process(batch)
    assert marked.dataset_name == "d"
    assert marked._metadata == {"a": 1}
    require_marked(marked.to_pyarrow().to_pylist())
    with_pandas = DocumentBatch(dataset_name="d", data=batch.to_pandas())
    require_marked(stage.process(with_pandas).to_pyarrow().to_pylist())


def test_a_stage_adds_the_column_of_leaks() -> None:
    from nemo_curator.tasks import DocumentBatch

    batch = DocumentBatch(dataset_name="d", data=pyarrow.Table.from_pylist(make_leaking()))
    require_leak(LeakStage(EVALS, sample_of_texts()).process(batch).to_pyarrow().to_pylist())
