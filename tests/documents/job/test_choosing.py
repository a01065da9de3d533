"""What stays does not depend on how many links are held at a time, and the links of all clusters are never held."""

import json

import pytest

from ibidem.documents.job import choosing
from ibidem.documents.job.planning import plan_dedup
from ibidem.jobs.run import run_rank

from ...jobs.samples import deduplicate_plainly, digest
from .test_stages import CHOICES


@pytest.fixture
def held(monkeypatch):
    """The numbers of links that were held at a time: none but those of a cluster, if one more can be avoided."""
    numbers, represent = [], choosing.represent_texts
    monkeypatch.setattr(choosing, "_LINK_BYTES", 1 << 40)

    def note(documents, links, *others):
        numbers.append(len(links.pairs))
        return represent(documents, links, *others)

    monkeypatch.setattr(choosing, "represent_texts", note)
    return numbers


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_clusters_are_decided_one_by_one(inputs, tmp_path, held, choices):
    expected = deduplicate_plainly(inputs, tmp_path / "plain", **choices)
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", memory="64M", parts=3, **choices)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
    assert len(held) > 1


def test_many_clusters_of_many_duplicates_are_never_held_together(tmp_path, held):
    (tmp_path / "in").mkdir()
    with (tmp_path / "in" / "a.jsonl").open("w") as file:
        for cluster in range(20):
            words = [f"word{cluster}-{number}" for number in range(120)]
            for copy in range(30):
                file.write(json.dumps({"id": f"{cluster}-{copy}", "text": " ".join([*words, f"end{copy}"])}) + "\n")
    expected = deduplicate_plainly(tmp_path / "in", tmp_path / "plain")
    plan_dedup([str(tmp_path / "in")], tmp_path / "made", tmp_path / "plan", memory="64M", parts=4)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
    pairs_of_a_cluster = 30 * 29 // 2
    assert len(held) == 20
    assert max(held) <= pairs_of_a_cluster
    assert sum(held) > 19 * pairs_of_a_cluster
