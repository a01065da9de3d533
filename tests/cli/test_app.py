"""ibidem app: where it answers, and whom."""

import re
import subprocess
import sys
from pathlib import Path

import httpx


def test_the_app_says_an_address_with_its_secret_that_a_second_one_is_given_and_ends_when_the_page_asks(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    command = [sys.executable, "-m", "ibidem.cli", "app", "--no-browser", "--folder", str(tmp_path / "data")]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = next(line for line in running.stderr if line.startswith("open "))
            address = said.split()[1]
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?key=[\w-]{32}", address)
            second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            assert second.returncode == 2
            assert address in second.stderr
            root = address.partition("/?")[0]
            with httpx.Client(follow_redirects=True, headers={"Origin": root}) as client:
                assert client.post(f"{root}/v1/quit", json={}).status_code == 401
                assert "projects.js" in client.get(address).text
                assert client.post(f"{root}/v1/quit", json={}).status_code == 200
            assert running.wait(60) == 0
        finally:
            running.kill()
