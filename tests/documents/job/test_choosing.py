"""What stays does not depend on how many links memory holds, and where it holds few, those of a cluster are enough."""

import json

import pytest

from ibidem.documents.job import choosing
from ibidem.documents.job.planning import plan_dedup
from ibidem.jobs.run import run_rank

from ...jobs.samples import deduplicate_plainly, digest
from .test_stages import CHOICES


@pytest.fixture
def note_links(monkeypatch):
    """Gives a list for the numbers of links that are held at a time."""
    numbers, represent = [], choosing.represent_texts

    def note(documents, links, *others):
        numbers.append(len(links.pairs))
        return represent(documents, links, *others)

    monkeypatch.setattr(choosing, "represent_texts", note)
    return numbers


@pytest.fixture
def hold_few(monkeypatch):
    """Makes memory hold one cluster at a time."""
    return lambda: monkeypatch.setattr(choosing, "_LINK_BYTES", 1 << 40)


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_clusters_are_decided_one_by_one(inputs, tmp_path, note_links, hold_few, choices):
    expected = deduplicate_plainly(inputs, tmp_path / "plain", **choices)
    assert len(note_links) == 1
    hold_few()
    assert deduplicate_plainly(inputs, tmp_path / "again", **choices) == expected
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", memory="64M", parts=3, **choices)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
    clusters, odd = divmod(len(note_links) - 1, 2)
    assert clusters > 1
    assert not odd


def test_many_clusters_of_many_duplicates_are_not_held_together(tmp_path, note_links, hold_few):
    (tmp_path / "in").mkdir()
    with (tmp_path / "in" / "a.jsonl").open("w") as file:
        for cluster in range(20):
            words = [f"word{cluster}-{number}" for number in range(120)]
            for copy in range(30):
                file.write(json.dumps({"id": f"{cluster}-{copy}", "text": " ".join([*words, f"end{copy}"])}) + "\n")
    expected = deduplicate_plainly(tmp_path / "in", tmp_path / "plain")
    note_links.clear()
    hold_few()
    plan_dedup([str(tmp_path / "in")], tmp_path / "made", tmp_path / "plan", memory="64M", parts=4)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
    pairs_of_a_cluster = 30 * 29 // 2
    assert len(note_links) == 20
    assert max(note_links) <= pairs_of_a_cluster
    assert sum(note_links) > 19 * pairs_of_a_cluster
