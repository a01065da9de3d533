"""Searchers on Ray find what one process finds; one that is gone is an error, or is named."""

import json
import sys

import pytest

from ibidem import PassageIndex
from ibidem.errors import ConfigurationError, MissingExtraError
from ibidem.passages.searchers import share_out
from ibidem.remote.storage import Storage
from ibidem.store.manifest import SegmentEntry

from ..ray_clusters import run_on_cluster
from .searcher_samples import SEARCHES, build

SCRIPT = """
def main():
    import json, warnings
    from ibidem import ConfigurationError, PassageIndex, StoreError
    from ibidem.web.indexes.served_index import ServedIndex
    from ibidem.web.indexes.server import make_app
    from starlette.testclient import TestClient

    warnings.simplefilter("ignore")
    path, url, asked = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])

    def search(index):
        return [
            [(m.document, m.start, m.end, m.similarity) for m in index.search(query, **options)]
            for query in asked["queries"] for options in asked["searches"]
        ]

    def end_second(searchers):
        actor = searchers._actors[1]
        ray.kill(actor)
        try:
            while True:  # a request that is sent at once may still be answered
                ray.get(actor.describe.remote())
        except ray.exceptions.RayActorError:
            pass

    said = {}
    with PassageIndex.open(path, ray="auto") as index:
        said["matches"], said["ids"], said["length"] = search(index), sorted(index.ids()), len(index)
        said["searchers"] = len(index._searchers._groups)
        said["many"] = [len(found) for found in index.search_many(asked["queries"], threshold=0.5)]
        try:
            index.add(["text"])
        except StoreError as error:
            said["add"] = str(error)
        said["aligned"] = [match.document for match in index.align(asked["queries"][0])]
        end_second(index._searchers)
        try:
            index.search(asked["queries"][0])
        except StoreError as error:
            said["gone"] = str(error)
    with PassageIndex.open(url, ray="auto", searchers=2, allow_partial=True) as index:
        said["remote"], said["segments"] = search(index), len(index.segments)
        try:
            index.align(asked["queries"][0])
        except ConfigurationError as error:
            said["align"] = str(error)
        end_second(index._searchers)
        found, statistics = index.explain(asked["queries"][0], threshold=0.5)
        said["partial"], said["notes"] = [match.document for match in found], statistics.notes
    for allow_partial in (False, True):
        served = ServedIndex(path, ray="auto", allow_partial=allow_partial)
        served.warm()
        with served.reader() as reader:
            found = [m.document for m in reader.index.search(asked["queries"][0], threshold=0.5)]
            said[f"served, {allow_partial}"] = found, reader.document(found[0])[0]
            end_second(reader.index._searchers)
        with TestClient(make_app([served])) as client:
            answer = client.post("/v1/search", json={"text": asked["queries"][0]})
            said[f"service, {allow_partial}"] = [answer.status_code, answer.json().get("warnings")]
            said[f"again, {allow_partial}"] = client.post("/v1/search", json={"text": "x"}).status_code
        served.close()
    with open(sys.argv[4], "w") as answer:  # Ray writes to standard output, too
        json.dump(said, answer)
"""


def test_searchers_on_ray_find_what_one_process_finds(tmp_path, monkeypatch):
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "cache"))
    index, queries = build(tmp_path / "i")
    with index:
        expected = [
            [[m.document, m.start, m.end, m.similarity] for m in index.explain(query, **options)[0]]
            for query in queries[:3]
            for options in SEARCHES
        ]
        ids, documents = sorted(index.ids()), [m.document for m in index.search(queries[0], threshold=0.5)]
        aligned = [m.document for m in index.align(queries[0])]
        text = next(
            segment.text(segment.document_ids().index(documents[0]))
            for segment in index.segments
            if documents[0] in segment.document_ids()
        )
        groups = share_out(index._store._manifest.segments, 2)
        rows = {name: number for number, segment in enumerate(index.segments) for name in segment.document_ids()}
    url = f"file://{tmp_path}/stored"
    upload(tmp_path / "i", url)
    asked = json.dumps({"queries": queries[:3], "searches": SEARCHES})
    done = run_on_cluster(SCRIPT, tmp_path / "i", url, asked, tmp_path / "said.json")
    assert done.returncode == 0, done.stderr
    said = json.loads((tmp_path / "said.json").read_text())
    assert said["matches"] == expected
    assert said["remote"] == expected
    assert (said["ids"], said["length"], said["searchers"], said["segments"]) == (ids, len(ids), 2, 0)
    assert said["many"] == [len(found) for found in expected[:: len(SEARCHES)]]
    assert "for reading alone" in said["add"]
    assert said["aligned"] == aligned
    assert said["served, False"] == said["served, True"] == [documents, text]
    assert "open the index without ray" in said["align"]
    missing = ", ".join(entry.name for entry in groups[1])
    assert f"no answer from the searcher of the segments {missing}" in said["gone"]
    assert "allow_partial answers without it" in said["gone"]
    assert said["partial"] == [name for name in documents if rows[name] < len(groups[0])]
    assert any(f"no answer from the searcher of the segments {missing}" in note for note in said["notes"])
    assert said["service, False"] == [503, None]
    assert said["again, False"] == 200  # searchers were started anew
    status, warnings = said["service, True"]
    assert status == 200
    assert any(f"no answer from the searcher of the segments {missing}" in warning for warning in warnings)


def upload(path, url):
    """Put an index of this machine into a store, where it has the same files."""
    pytest.importorskip("fsspec", reason="no fsspec: pip install 'ibidem[remote]'")
    files = [file for file in path.rglob("*") if file.is_file() and file.name != "writer.lock"]
    Storage(url).upload_all({file.relative_to(path).as_posix(): file for file in files})


def test_without_ray_it_is_said_how_to_install_it(tmp_path, monkeypatch):
    build(tmp_path / "i", segments=2)[0].close()
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ibidem\[ray\]'"):
        PassageIndex.open(tmp_path / "i", ray="auto")


def test_a_function_as_a_tokenizer_is_refused(tmp_path, monkeypatch):
    build(tmp_path / "i", segments=2)[0].close()
    with pytest.raises(ConfigurationError, match="no function as a tokenizer"):
        PassageIndex.open(tmp_path / "i", ray="auto", tokenizer=str.split)


@pytest.mark.parametrize("searchers", [1, 2, 3, 7, 9])
@pytest.mark.parametrize("sizes", [[1] * 7, [100, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 100], [0, 0, 5]], ids=str)
def test_segments_are_shared_out_in_order_and_every_searcher_that_can_has_some(sizes, searchers):
    entries = [SegmentEntry(f"{number:06d}", size, "") for number, size in enumerate(sizes)]
    groups = share_out(entries, searchers)
    assert [entry for group in groups for entry in group] == entries
    assert len(groups) == min(searchers, len(entries))
    assert all(groups)


def test_an_index_without_segments_has_one_searcher_without_any():
    assert share_out([], 3) == [[]]
