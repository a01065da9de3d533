"""ibidem app: where it answers, and whom."""

import re
import subprocess
import sys
from pathlib import Path

import httpx


def test_the_app_says_an_address_with_its_secret_and_a_second_one_is_given_it(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    command = [sys.executable, "-m", "ibidem.cli", "app", "--no-browser", "--folder", str(tmp_path / "data")]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = next(line for line in running.stderr if line.startswith("open "))
            address = said.split()[1]
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?key=[\w-]{32}", address)
            with httpx.Client(follow_redirects=True) as client:
                assert "projects.js" in client.get(address).text
            second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            assert second.returncode == 2
            assert address in second.stderr
        finally:
            running.terminate()
    assert running.returncode in (0, -15)
