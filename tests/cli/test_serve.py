"""ibidem serve: where it answers, and what it needs for that."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.service.client import Client

from .samples import CHANGED, Run


def test_a_service_says_its_address_answers_and_ends(folder: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "ibidem.cli", "serve", "books.ibidem", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = running.stderr.readline()
            assert said.startswith("serving books at http://127.0.0.1:"), said + running.stderr.read()
            client = Client(said.split()[-1])
            assert client.indexes()[0]["name"] == "books"
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


def test_searchers_serve_no_index_at_a_url(run: Run) -> None:
    done = run("serve", "s3://bucket/index", "--ray", "local")
    assert done.exit_code == 2
    assert "a file system that all nodes see" in done.stderr
