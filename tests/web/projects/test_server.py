"""Who is answered, what comes in, and that nothing of it goes anywhere else."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Projects

from .conftest import SECRET, wait_for
from .samples import FILES, PLANTED, UNREADABLE, pack

BYTES = {"Content-Type": "application/octet-stream"}


def send(client: httpx.Client, project: str, name: str, data: bytes, **more: str) -> httpx.Response:
    return client.post(f"/v1/projects/{project}/files", params={"name": name, **more}, content=data, headers=BYTES)


def test_only_who_has_the_secret_is_answered(address: str) -> None:
    for path in ("/v1/projects", "/openapi.json", "/metrics", "/v1/projects/x"):
        assert httpx.get(address + path).status_code == 401
    for path in ("/", "/?key=guess", "/page/projects.js"):  # an old address opens the page, which says what to do
        assert httpx.get(address + path).status_code == 200
    with httpx.Client(base_url=address, cookies={"ibidem-80": SECRET}) as other:
        assert other.get("/v1/projects").status_code == 401  # a cookie of another port
    answer = httpx.get(address, params={"key": SECRET})
    assert answer.status_code == 303
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "samesite=strict" in answer.headers["set-cookie"].lower()
    assert SECRET not in answer.headers["location"]


def test_other_names_and_bodies_of_other_types_are_refused(client: httpx.Client) -> None:
    assert client.get("/v1/projects", headers={"Host": "evil.example"}).status_code == 421
    assert (
        client.post("/v1/projects", content=b'{"name":"x"}', headers={"Content-Type": "text/plain"}).status_code == 415
    )
    assert client.get("/v1/projects").json()["projects"] == []


def test_every_answer_has_the_policy_of_the_service(client: httpx.Client) -> None:
    for path in ("/", "/page/projects.js", "/v1/projects", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/page/../server.py", "/page/%2e%2e/server.py", "/v1/projects/x/runs/y"])
def test_no_address_leads_outside(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_a_class_is_compared_and_a_mark_stays_when_it_grows(client: httpx.Client) -> None:
    project = client.post("/v1/projects", json={"name": "Class 9b"}).json()["id"]
    path = f"/v1/projects/{project}"
    assert send(client, project, "class.zip", pack(FILES | UNREADABLE)).status_code == 200
    held = wait_for(client, path, lambda held: not held["reading"])
    assert len([each for each in held["files"] if each["reading"]["state"] == "left out"]) == len(UNREADABLE)
    [listed] = client.get("/v1/projects").json()["projects"]
    assert listed["files"] == len(FILES | UNREADABLE)  # and the zip itself is none
    a, b = sorted(PLANTED)[0]
    assert client.put(f"{path}/marks", json={"a": b, "b": a, "mark": "quotation", "note": "p. 3"}).status_code == 200
    send(client, project, "late.txt", FILES[b] + b" and more")
    wait_for(client, path, lambda held: not held["reading"])
    run = f"{path}/runs/{client.post(f'{path}/runs', json={'kind': 'reuse'}).json()['id']}"
    assert wait_for(client, run, lambda held: held["state"] in ("done", "failed"))["error"] is None
    view = client.get(f"{run}/view").json()
    names = [each["name"] for each in view["documents"]]
    found = {tuple(sorted((names[pair["a"]], names[pair["b"]]))) for pair in view["documentPairs"]}
    assert found > PLANTED
    assert client.get(path).json()["marks"] == [{"a": a, "b": b, "mark": "quotation", "note": "p. 3"}]
    assert len(client.get(f"{run}/comparisons", params={"first": 0, "count": 2}).json()) == 2
    saved = client.get(f"{run}/files/document_pairs.csv").content.decode("utf-8-sig")
    table = list(csv.DictReader(saved.splitlines()))
    assert {(row["mark"], row["note"]) for row in table if {row["a"], row["b"]} == {a, b}} == {("quotation", "p. 3")}
    said = client.post(f"{run}/report", json={"title": "x"}).text
    assert '"quotation","p. 3"' in said
    assert '"p. 3"' not in client.post(f"{run}/report", json={"title": "x", "marks": False}).text
    assert client.delete(run).status_code == 200
    assert client.get(run).status_code == 404


def test_a_file_of_another_type_of_body_or_role_is_refused(client: httpx.Client) -> None:
    project = client.post("/v1/projects", json={"name": "x"}).json()["id"]
    plain = client.post(
        f"/v1/projects/{project}/files", params={"name": "a"}, content=b"x", headers={"Content-Type": "text/plain"}
    )
    assert plain.status_code == 415
    assert send(client, project, "a.txt", b"words", role="owner").status_code == 400
    assert client.get(f"/v1/projects/{project}").json()["files"] == []


def make_hostile(chance: random.Random) -> tuple[str, bytes]:
    """A file that somebody means ill with, or that was damaged on its way."""
    ends = [
        ".txt",
        ".pdf",
        ".docx",
        ".zip",
        ".odt",
        ".epub",
        ".csv",
        ".jsonl",
        ".parquet",
        ".html",
        ".xml",
        ".rtf",
        ".gz",
        ".tar",
        "",
    ]
    names = ["../../x", "/etc/passwd", "a\0b", "con", "." * 300, "\u202egpj", "<script>", "%2e%2e%2f", "a" * 4000]
    begins = [
        b"%PDF-1.7\n",
        b"PK\x03\x04",
        b"{\\rtf1",
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"\x1f\x8b",
        b"",
        b'{"text":',
    ]
    begins += [b"<html>" * 500, b"id,text\n", b"PAR1", b"[" * 3000, pack({"../up.txt": b"w", "a/" * 200: b"w"})]
    body = chance.choice(begins) + chance.randbytes(chance.randrange(400))
    return chance.choice(names) + chance.choice(ends), body


def test_three_hundred_hostile_uploads_break_nothing_but_their_own_rows(
    client: httpx.Client, projects: Projects, tmp_path: Path
) -> None:
    before = {path for path in tmp_path.rglob("*") if "projects" not in path.parts}
    project, chance = client.post("/v1/projects", json={"name": "x"}).json()["id"], random.Random(300)
    for _ in range(300):
        assert send(client, project, *make_hostile(chance)).status_code == 200
    send(client, project, "good.txt", b"these are good words")
    held = wait_for(client, f"/v1/projects/{project}", lambda held: not held["reading"], 500)
    assert all(each["reading"] is not None for each in held["files"])
    [good] = [each for each in held["files"] if each["name"] == "good.txt"]
    assert good["reading"]["words"] == 4
    assert {path for path in tmp_path.rglob("*") if "projects" not in path.parts} == before
    opened = projects.open(project)
    assert {each.name for each in opened.folder.iterdir()} == {"project.json", "items", "contents", "readings", "runs"}


def test_what_is_removed_while_it_is_sent_is_no_error(client: httpx.Client, projects: Projects) -> None:
    project = client.post("/v1/projects", json={"name": "x"}).json()["id"]

    def parts() -> Iterator[bytes]:
        yield b"some "
        projects.remove(projects.open(project))
        yield b"words"

    path = f"/v1/projects/{project}/files?name=a.txt"
    assert client.post(path, content=parts(), headers=BYTES).status_code == 404


def test_a_project_is_removed_with_its_runs(
    client: httpx.Client, projects: Projects, workers: ProjectProcesses
) -> None:
    project = client.post("/v1/projects", json={"name": "x"}).json()["id"]
    send(client, project, "a.txt", b"some words")
    wait_for(client, f"/v1/projects/{project}", lambda held: not held["reading"])
    client.post(f"/v1/projects/{project}/runs", json={"kind": "reuse"})
    assert client.delete(f"/v1/projects/{project}").status_code == 200
    assert projects.list() == []
    assert not workers.is_reading(next(iter(projects.list()), projects.create("y")))
