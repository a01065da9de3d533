"""ibidem serve: where it answers, and what it needs for that."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.web.client import Client

from ..ray_clusters import run_beside_cluster
from .samples import CHANGED, Run


def test_a_service_says_its_address_answers_and_ends(folder: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "ibidem.cli", "serve", "books.ibidem", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = next(line for line in running.stderr if line.startswith("serving"))
            assert said.startswith("serving books at http://127.0.0.1:")
            client = Client(said.split()[-1])
            assert client.indexes()["indexes"][0]["name"] == "books"
            assert client.search(CHANGED)["matches"][0]["document"] == "ferry.txt"
        finally:
            running.terminate()
    assert running.returncode in (0, -15)


@pytest.mark.usefixtures("folder")
def test_another_host_needs_a_token(run: Run) -> None:
    result = run("serve", "books.ibidem", "--host", "0.0.0.0")
    assert result.exit_code == 2
    assert "to answer on 0.0.0.0, other machines too, the service needs a --token" in result.stderr


@pytest.mark.usefixtures("folder")
def test_what_is_no_index_is_told_before_anything_is_served(run: Run) -> None:
    assert run("serve", "letter.txt").exit_code == 2
    os.makedirs("other/books.ibidem")
    assert run("serve", "books.ibidem", "other/books.ibidem").exit_code == 2


ASK = """
import subprocess, sys
from ibidem.web.client import Client, ServiceError

command = [sys.executable, "-m", "ibidem.cli", "serve", "books.ibidem", "letters.ibidem", "--port", "0", "--ray"]
with subprocess.Popen([*command, "auto"], stderr=subprocess.PIPE, text=True) as running:
    try:
        said = next(line for line in running.stderr if line.startswith("serving"))
        assert said.startswith("serving books, letters at http://127.0.0.1:"), said
        client = Client(said.split()[-1])
        for name in ("books", "letters"):
            print("found:", *(match["document"] for match in client.search(sys.argv[1], index=name)["matches"]))
    finally:
        running.terminate()
"""


def test_searchers_of_a_cluster_serve_several_indexes(folder: Path) -> None:
    """Each is opened again for its first request, as the other stays open on the same connection."""
    shutil.copytree(folder / "books.ibidem", folder / "letters.ibidem")
    (folder / "ask.py").write_text(ASK, encoding="utf-8")
    done = run_beside_cluster([f"{sys.executable} ask.py {shlex.quote(CHANGED)}"], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"found: (.*)", done.stdout) == ["ferry.txt"] * 2


def test_searchers_serve_no_index_at_a_url(run: Run) -> None:
    done = run("serve", "s3://bucket/index", "--ray", "local")
    assert done.exit_code == 2
    assert "a file system that all nodes see" in done.stderr


@pytest.mark.usefixtures("folder")
def test_partial_answers_are_those_of_searchers(run: Run) -> None:
    done = run("serve", "books.ibidem", "--allow-partial")
    assert done.exit_code == 2
    assert "--allow-partial is for --ray" in done.stderr


@pytest.mark.usefixtures("folder", "warm_python")
def test_a_gate_needs_no_index_and_says_what_weighs_its_words(folder: Path, environment: dict[str, str]) -> None:
    question = "Which river flows through the small town of Grahamstown in the Eastern Cape of South Africa?"
    (folder / "quiz.jsonl").write_text(f'{{"question": "{question}"}}\n', encoding="utf-8")
    for given, hint in (([], True), (["--sample", "letter.txt"], False), (["books.ibidem"], False)):
        command = [sys.executable, "-m", "ibidem.cli", "serve", *given, "--evals", "quiz.jsonl", "--port", "0"]
        with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as running:
            try:
                assert running.stderr is not None
                said = []
                for line in running.stderr:
                    said.append(line)
                    if line.startswith("serving"):
                        break
                assert "quiz.jsonl: questions (question), 1 item\n" in said
                assert any("words are weighed by the evals alone" in line for line in said) == hint
                assert "1 item at http://127.0.0.1:" in said[-1]
                client = Client(said[-1].split()[-1])
                assert client.contamination([{"text": "rain"}, {"text": f"{CHANGED} {question}"}])["contaminated"] == [
                    "1"
                ]
            finally:
                running.terminate()


@pytest.mark.usefixtures("folder")
def test_what_is_for_evals_alone_and_nothing_to_serve_are_refused(run: Run) -> None:
    assert "for --evals" in run("serve", "books.ibidem", "--sample", "letter.txt").stderr
    assert "give an INDEX or --evals EVALS" in run("serve").stderr
