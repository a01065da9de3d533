"""Entries of programs: each system has its own, and a command keeps its words."""

import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.system.launchers import install_launcher

COMMAND = ("/opt/my python/bin/python", "-m", "ibidem.cli", "app", "100%", 'a"b\\c')


def test_a_desktop_of_linux_starts_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = install_launcher("ibidem", "Compare texts", COMMAND)
    assert path == tmp_path / "applications" / "ibidem.desktop"
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]"
    assert {"Name=ibidem", "Comment=Compare texts", "Terminal=false"} <= set(lines)
    [words] = [line for line in lines if line.startswith("Exec=")]
    assert words.startswith('Exec="/opt/my python/bin/python" "-m" "ibidem.cli" "app" "100%%" ')
    assert install_launcher("ibidem", "Compare texts", COMMAND) == path


def test_an_app_of_a_mac_runs_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    app = install_launcher("ibidem", "Compare texts", (sys.executable, "-c", script, str(tmp_path / "out"), 'a"b $c'))
    assert app == tmp_path / "Applications" / "ibidem.app"
    assert b"<key>CFBundleExecutable</key><string>ibidem</string>" in (app / "Contents" / "Info.plist").read_bytes()
    subprocess.run([app / "Contents" / "MacOS" / "ibidem"], check=True)
    assert (tmp_path / "out").read_text() == 'a"b $c'
