"""Data sets of Hugging Face are read at ``hf://`` by the hub's own package, here from a hub on this machine."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

import ibidem
from ibidem.cli import main
from ibidem.errors import CorpusError

FILES = {
    "README.md": b"# Poems",
    "data/a.jsonl": b'{"id": "a", "text": "In the same place, once more."}\n',
    "data/b.jsonl.gz": gzip.compress(b'{"id": "b", "text": "In another place."}\n'),
}
API, CONTENTS = "/api/datasets/owner/poems", "/datasets/owner/poems/resolve/"


class Hub(BaseHTTPRequestHandler):
    """A data set with a branch."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer as the hub does."""
        path = unquote(urlsplit(self.path).path)
        if path.startswith(f"{API}/tree/"):
            self._list(path.removeprefix(f"{API}/tree/").partition("/")[2])
        elif path == API:
            self._send({"id": "owner/poems", "sha": "0" * 40, "siblings": [], "tags": [], "private": False})
        elif path.startswith(CONTENTS) and (name := path.removeprefix(CONTENTS).partition("/")[2]) in FILES:
            self._send_part(FILES[name])
        else:
            self._send({"error": "Entry not found"}, 404)

    do_HEAD = do_GET

    def _list(self, folder: str) -> None:
        inside = [name for name in FILES if name.startswith(folder)]
        rows = [{"type": "file", "oid": "0" * 40, "size": len(FILES[name]), "path": name} for name in inside]
        if not folder:
            rows = [row for row in rows if "/" not in str(row["path"])]
            rows.append({"type": "directory", "oid": "1" * 40, "size": 0, "path": "data"})
        self._send(rows)

    def _send_part(self, data: bytes) -> None:
        first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        part = data[int(first) : int(last or len(data)) + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
        self._end(part)

    def _send(self, value: object, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self._end(json.dumps(value).encode())

    def _end(self, data: bytes) -> None:
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a data set, whose hub stops with the test."""
    fsspec = pytest.importorskip("fsspec", reason="no fsspec: pip install 'ibidem[remote]'")
    pytest.importorskip(
        "huggingface_hub",
        "1.0",
        reason="no huggingface_hub that asks as the store here answers: pip install huggingface_hub",
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setitem(fsspec.config.conf, "hf", {"endpoint": address, "token": False, "skip_instance_cache": True})
    yield "hf://datasets/owner/poems"
    server.shutdown()
    thread.join(30)
    server.server_close()


@pytest.mark.parametrize(
    ("path", "ids"), [("data/a.jsonl", ["a"]), ("data", ["a", "b"]), ("data/*.jsonl*", ["a", "b"])]
)
def test_files_folders_and_globs_of_a_data_set_are_read(hub: str, path: str, ids: list[str]) -> None:
    assert [id for batch in ibidem.read(f"{hub}/{path}") for id in batch.ids] == ids


def test_an_index_is_made_of_a_data_set_and_what_is_not_there_is_named(hub: str, tmp_path: Path) -> None:
    with ibidem.PassageIndex.build(tmp_path / "index", ibidem.read(f"{hub}/data"), min_length=3) as index:
        [match] = index.search("once more in the same place", threshold=1.0)
        assert match.document == "a"
    with pytest.raises(CorpusError, match=r"hf://datasets/owner/poems/data/none\.jsonl"):
        list(ibidem.read(f"{hub}/data/none.jsonl"))


def test_items_of_a_data_set_are_found_in_another(hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Which river flows through the small town of Grahamstown in the Eastern Cape of South Africa?"
    monkeypatch.setitem(FILES, "quiz/test.jsonl", json.dumps({"question": words}).encode() + b"\n")
    monkeypatch.setitem(FILES, "crawl/a.jsonl", json.dumps({"id": "c", "text": f"So: {words}"}).encode() + b"\n")
    arguments = [f"{hub}/crawl/a.jsonl", f"{hub}/data", "--evals", f"{hub}/quiz/test.jsonl"]
    done = CliRunner().invoke(main, ["decontaminate", *arguments, "-o", str(tmp_path / "out"), "--action", "remove"])
    assert done.exit_code == 0, done.output
    (row,) = map(json.loads, (tmp_path / "out/contamination.jsonl").read_text("utf-8").splitlines())
    assert (row["training_file"], row["training_line"], row["document"]) == (f"{hub}/crawl/a.jsonl", 0, "c")
    kept = sorted(path for path in (tmp_path / "out/kept").rglob("*") if path.is_file())
    assert [path.name for path in kept] == ["a.jsonl", "a.jsonl", "b.jsonl.gz"]
    assert sorted(path.stat().st_size == 0 for path in kept) == [False, False, True]
