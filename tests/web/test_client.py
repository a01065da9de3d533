"""The client; ``tests/web/indexes`` and ``tests/cli/test_serve.py`` call the service by it."""

import subprocess
import sys


def test_the_client_is_there_without_the_extra() -> None:
    absent = "import sys; sys.modules |= dict.fromkeys(('starlette', 'uvicorn'))"
    program = f"{absent}; from ibidem.web.client import Client; print(Client('http://127.0.0.1:1').search)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    served = f"{absent}; from ibidem.cli import main; main()"
    told = subprocess.run([sys.executable, "-c", served, "serve", "x"], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "pip install 'ibidem[serve]'" in told.stderr
