"""What is there after the server was killed at any step, and started again."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from .conftest import wait_for
from .samples import FILES, PLANTED, write_words

_QUESTION = {"kind": "reuse", "settings": {}}


@contextmanager
def serving(folder: Path) -> Iterator[tuple[httpx.Client, "subprocess.Popen[str]"]]:
    """A server in a process of its own, and who has its secret; it is killed in the end."""
    command = [sys.executable, "-m", "ibidem.cli", "app", "--no-browser", "--folder", str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process, ExitStack() as stack:
        stack.callback(process.kill)
        assert process.stderr is not None
        address = next(line for line in process.stderr if line.startswith("open ")).split()[1]
        client = stack.enter_context(httpx.Client(base_url=address.partition("/?")[0], timeout=240))
        client.get(address)
        yield client, process


def send(client: httpx.Client, project: str, name: str, data: bytes) -> None:
    answer = client.post(
        f"/v1/projects/{project}/files",
        params={"name": name},
        content=data,
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status_code == 200


def create(client: httpx.Client) -> str:
    return str(client.post("/v1/projects", json={"name": "Class 9b"}).json()["id"])


def is_read(project: dict[str, list[dict[str, object]]]) -> bool:
    return all(file["reading"] is not None for file in project["files"])


def partial_files(folder: Path) -> list[str]:
    """Files of the projects that were begun and have no name yet; locks and logs are kept."""
    found = (path for path in (folder / "projects").rglob("*") if path.is_file())
    return [str(path) for path in found if path.name.startswith(".") and path.name not in (".lock", ".log")]


def test_a_file_that_was_coming_when_the_server_was_killed_is_gone_and_others_are_there(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, process):
        project = create(client)
        send(client, project, "first.txt", b"the whole of it")
        wait_for(client, f"/v1/projects/{project}", lambda project: not project["reading"])

        def parts() -> Iterator[bytes]:
            yield b"half of it " * 20_000
            until = time.monotonic() + 240
            while not partial_files(tmp_path):
                assert time.monotonic() < until
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait(240)
            yield from (b"the rest " * 100_000 for _ in range(20))

        with pytest.raises(httpx.TransportError):
            client.post(
                f"/v1/projects/{project}/files",
                params={"name": "second.txt"},
                content=parts(),
                headers={"Content-Type": "application/octet-stream"},
            )
    with serving(tmp_path) as (client, _):
        held = wait_for(client, f"/v1/projects/{project}", is_read)
        assert [file["name"] for file in held["files"]] == ["first.txt"]
        assert partial_files(tmp_path) == []


def test_files_that_were_being_read_when_the_server_was_killed_are_read(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, process):
        project = create(client)
        for number in range(12):
            send(client, project, f"{number}.txt", write_words(number, 20_000).encode())
        process.kill()
    with serving(tmp_path) as (client, _):
        held = wait_for(client, f"/v1/projects/{project}", is_read)
        assert [(file["reading"]["state"], file["reading"]["words"]) for file in held["files"]] == [
            ("read", 20_000)
        ] * 12


def test_a_question_that_was_being_answered_when_the_server_was_killed_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, process):
        project = create(client)
        for name, data in FILES.items():
            send(client, project, name, data)
        wait_for(client, f"/v1/projects/{project}", is_read)
        run = client.post(f"/v1/projects/{project}/runs", json=_QUESTION).json()["id"]
        place = f"/v1/projects/{project}/runs/{run}"
        wait_for(client, place, lambda run: run["state"] == "running")
        process.kill()
        process.wait(240)
    with serving(tmp_path) as (client, _):
        held = wait_for(client, place, lambda run: run["state"] in ("done", "failed"))
        assert (held["state"], held["error"]) == ("done", None)
        assert len(client.get(f"{place}/view").json()["documentPairs"]) == len(PLANTED)


def test_marks_that_were_being_written_when_the_server_was_killed_are_whole(tmp_path: Path) -> None:
    """Each mark that the server has confirmed is there."""
    confirmed = 0
    with serving(tmp_path) as (client, process):
        project = create(client)
        until = time.monotonic() + 0.5
        while not confirmed or time.monotonic() < until:
            mark = {"a": "a.txt", "b": f"b{confirmed:04}.txt", "mark": "quotation", "note": "page 3 " * 1000}
            assert client.put(f"/v1/projects/{project}/marks", json=mark).status_code == 200
            confirmed += 1
        process.kill()
    (tmp_path / "projects" / project / ".0123456789ab").write_text('[{"a": "a.txt"')  # a kill between two of its steps
    with serving(tmp_path) as (client, _):
        marks = client.get(f"/v1/projects/{project}").json()["marks"]
        assert [mark["b"] for mark in marks] == [f"b{number:04}.txt" for number in range(confirmed)]
        assert partial_files(tmp_path) == []
