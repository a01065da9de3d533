"""Steps of datatrove, beside its own; skipped unless the library is installed."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ibidem
from ibidem import CorpusError
from ibidem.integrations.datatrove import ContaminationFilter, DuplicateClusters, DuplicateSignatures

from .samples import EVALS, KEPT, make_documents, make_leaking, sample_of_texts

pytest.importorskip("datatrove", reason="datatrove is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")


def documents_of(rank: int, world_size: int = 3) -> list[Any]:
    """The documents of a rank: four in a row."""
    from datatrove.data import Document

    part = make_documents()[rank * 12 // world_size : (rank + 1) * 12 // world_size]
    return [Document(text=row["text"], id=row["id"], metadata={"n": row["n"]}) for row in part]


def sign(folder: Path, **options: Any) -> str:
    step = DuplicateSignatures(str(folder / "signatures"), **options)
    for rank in range(3):
        step.run(iter(documents_of(rank)), rank, 3)
    return str(folder / "signatures")


def test_datatroves_own_filter_takes_what_is_written(tmp_path: Path) -> None:
    from datatrove.pipeline.dedup import MinhashDedupFilter

    signatures, removed = sign(tmp_path), str(tmp_path / "removed")
    DuplicateClusters(signatures, removed, save_cluster_id=True, save_cluster_size=True).run()
    step = MinhashDedupFilter(removed, load_cluster_ids=True, load_cluster_sizes=True)
    kept = [document for rank in range(3) for document in step.run(iter(documents_of(rank)), rank, 3)]
    assert [document.metadata["n"] for document in kept] == KEPT
    sizes = {document.metadata["n"]: document.metadata["minhash_cluster_size"] for document in kept}
    clusters = {document.metadata["n"]: document.metadata["minhash_cluster_id"] for document in kept}
    assert {n for n, size in sizes.items() if size == 2} == {1, 2}
    assert {n for n, cluster in clusters.items() if cluster >= 0} == {1, 2}
    assert sorted(clusters[n] for n in (1, 2)) == [0, 1]


def test_the_files_have_the_layout_of_datatroves_own_clusters(tmp_path: Path) -> None:
    """Its last stage, given the pairs 1-5 and 2-9 as one of its earlier stages writes them."""
    from datatrove.pipeline.dedup import MinhashDedupCluster
    from datatrove.pipeline.dedup.minhash import MinhashConfig

    duplicates = tmp_path / "duplicates"
    duplicates.mkdir()
    pairs = struct.pack("<8I", 0, 1, 1, 1, 0, 2, 2, 1)
    (duplicates / "00000_00.dups").write_bytes(pairs)
    config = MinhashConfig(num_buckets=1)
    options = {"save_cluster_id": True, "save_cluster_size": True}
    theirs = MinhashDedupCluster(str(duplicates), str(tmp_path / "theirs"), config=config, **options)
    theirs.run(None, 0, 1)
    DuplicateClusters(sign(tmp_path), str(tmp_path / "ours"), **options).run()
    files = sorted(path.name for path in (tmp_path / "theirs").iterdir())
    for name in files:
        written = np.frombuffer((tmp_path / "ours" / name).read_bytes(), "<u4")
        expected = np.frombuffer((tmp_path / "theirs" / name).read_bytes(), "<u4")
        assert written.tolist() == expected.tolist(), name
    empty = [path.name for path in (tmp_path / "ours").iterdir() if path.name not in files and path.stat().st_size]
    assert empty == []


def test_ranks_give_what_one_call_gives_for_all_documents(tmp_path: Path) -> None:
    options = {"threshold": 0.6, "keep": "max(n)", "cluster_mode": "connected"}
    DuplicateClusters(sign(tmp_path, **options), str(tmp_path / "removed"), **options).run()
    rows = [{key: value for key, value in row.items() if key != "id"} for row in make_documents()]
    expected = ibidem.deduplicate(rows, **options)
    removed = [
        4 * rank + position
        for rank in range(3)
        for position in np.frombuffer((tmp_path / f"removed/{rank:06d}.remove").read_bytes(), "<u4").tolist()
    ]
    assert removed == np.flatnonzero(~expected.kept).tolist() == [1, 2]


def test_a_task_that_is_run_again_replaces_what_it_had_left(tmp_path: Path) -> None:
    sign(tmp_path)
    signatures = sign(tmp_path)
    DuplicateClusters(signatures, str(tmp_path / "removed")).run()
    assert (tmp_path / "removed/000001.remove").read_bytes() == struct.pack("<I", 1)


def test_signatures_that_are_missing_or_of_other_options_are_refused(tmp_path: Path) -> None:
    signatures = sign(tmp_path)
    with pytest.raises(CorpusError, match=r"00000: .*other options"):
        DuplicateClusters(signatures, str(tmp_path / "removed"), threshold=0.5).run()
    (tmp_path / "signatures/00001").rename(tmp_path / "signatures/00007")
    with pytest.raises(CorpusError, match="rank 1 are missing"):
        DuplicateClusters(signatures, str(tmp_path / "removed")).run()


def test_the_steps_run_in_an_executor_of_datatrove(tmp_path: Path) -> None:
    from datatrove.executor import LocalPipelineExecutor

    def read(data: Any, rank: int = 0, world_size: int = 1) -> Any:
        yield from documents_of(rank, world_size)

    pipeline = [read, DuplicateSignatures(str(tmp_path / "signatures"))]
    LocalPipelineExecutor(pipeline, tasks=3, logging_dir=str(tmp_path / "logs")).run()
    clusters = [DuplicateClusters(str(tmp_path / "signatures"), str(tmp_path / "removed"))]
    LocalPipelineExecutor(clusters, tasks=1, logging_dir=str(tmp_path / "logs2")).run()
    assert (tmp_path / "removed/000002.remove").read_bytes() == struct.pack("<I", 1)


@pytest.mark.parametrize("batch_size", [1, 5])
def test_the_filter_drops_what_is_contaminated_and_says_with_what(tmp_path: Path, batch_size: int) -> None:
    from datatrove.data import Document
    from datatrove.pipeline.writers import JsonlWriter

    given = [Document(text=row["text"], id=row["id"], metadata={"n": row["n"]}) for row in make_leaking()]
    writer = JsonlWriter(str(tmp_path), compression=None)
    step = ContaminationFilter(EVALS, sample_of_texts(), exclusion_writer=writer, batch_size=batch_size)
    assert [document.metadata["n"] for document in step.run(iter(given))] == [n for n in range(12) if n != 7]
    (dropped,) = [json.loads(line) for line in (tmp_path / "00000.jsonl").read_text("utf-8").splitlines()]
    assert dropped["metadata"]["contaminated_item"] == "1"
    assert dropped["metadata"]["contaminated_text"].startswith("How many copper pans")
    assert dropped["metadata"]["filter_reason"] == "contaminated"
