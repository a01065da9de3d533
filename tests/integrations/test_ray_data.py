"""Data sets of Ray Data; skipped unless the library and what it needs are installed."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.ray_clusters import run_on_cluster

from .samples import KEPT, build_index

pytest.importorskip("ray.data", reason="ray[data] is not installed")

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[2])

def main():
    from ibidem.integrations.ray_data import add_leaks, add_matches
    from tests.integrations.samples import (
        EVALS, make_documents, make_leaking, require_leak, require_marked, sample_of_texts
    )

    given = ray.data.from_items(make_documents()).repartition(3)
    require_marked(add_matches(given, sys.argv[1], min_pair_length=10).take_all())
    require_leak(add_leaks(ray.data.from_items(make_leaking()), EVALS, sample_of_texts()).take_all())
    print("marked")
"""

DEDUPLICATE = """
import sys
sys.path.insert(0, sys.argv[2])

def main():
    from ibidem.integrations.ray_data import deduplicate
    from tests.integrations.test_deduplication import make_table

    given = ray.data.from_arrow([make_table().slice(first, 5) for first in (0, 5, 10)])
    kept = deduplicate(given, sys.argv[1] + "/work", threshold=0.6)
    print(sorted(row["n"] for row in kept.take_all()))
"""


def test_actors_add_the_columns(tmp_path: Path) -> None:
    done = run_on_cluster(PROGRAM, build_index(tmp_path), ROOT)
    assert done.stdout.strip().endswith("marked"), done.stderr


def test_a_data_set_loses_its_near_duplicates(tmp_path: Path) -> None:
    done = run_on_cluster(DEDUPLICATE, tmp_path, ROOT)
    assert done.stdout.strip().endswith(str(KEPT)), done.stderr
    assert pq.read_table(tmp_path / "work/clusters.parquet").num_rows == 4
