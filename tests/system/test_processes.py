"""A process outlives what started it, and is ended with all it started."""

import time
from pathlib import Path

import psutil

from ibidem.system import processes

PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(600)
"""


def test_a_session_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    with (tmp_path / "log").open("ab") as log:
        session = processes.start_session(["-c", PARENT, str(tmp_path / "child")], log)
    for _ in range(24_000):
        if (tmp_path / "child").exists() and (tmp_path / "child").read_text():
            break
        time.sleep(0.01)
    child = psutil.Process(int((tmp_path / "child").read_text()))
    processes.end_session(session.pid)
    assert session.wait(240) != 0
    child.wait(240)
    processes.end_session(session.pid)  # it has ended
