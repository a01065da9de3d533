"""An entry among the programs of a desktop, which starts a command without a terminal."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

_DESKTOP = """[Desktop Entry]
Type=Application
Name={name}
Comment={comment}
Exec={command}
Terminal=false
Categories=Education;Office;
"""

_PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleName</key><string>{name}</string>
<key>CFBundleIdentifier</key><string>org.ibidem.{name}</string>
<key>CFBundleExecutable</key><string>{name}</string>
<key>CFBundlePackageType</key><string>APPL</string>
<key>LSUIElement</key><true/>
</dict></plist>
"""


def install_launcher(name: str, comment: str, command: Sequence[str]) -> Path:
    """Make the entry of a program, in place of an earlier one, and return the file or folder that it is.

    Raises:
        OSError: it cannot be written.
    """
    if sys.platform == "darwin":
        return _make_app(Path.home() / "Applications" / f"{name}.app", name, command)
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    path = data / "applications" / f"{name}.desktop"
    path.parent.mkdir(parents=True, exist_ok=True)
    words = " ".join(map(_quote_for_desktop, command))
    path.write_text(_DESKTOP.format(name=name, comment=comment, command=words), encoding="utf-8")
    path.chmod(0o755)
    return path


def _quote_for_desktop(word: str) -> str:
    """A word of a command as an entry of a desktop writes it."""
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    return '"{}"'.format(word.replace("\\", "\\\\").replace("%", "%%"))


def _make_app(folder: Path, name: str, command: Sequence[str]) -> Path:
    program = folder / "Contents" / "MacOS" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n", encoding="utf-8")
    program.chmod(0o755)
    (folder / "Contents" / "Info.plist").write_text(_PLIST.format(name=escape(name)), encoding="utf-8")
    return folder
