"""Compare files in a browser, without commands.

A page opens. Drop files on it, a folder, a zip or a tar, in any format that readers know, and ask: who has text in
common, where a passage occurs, how two texts differ, what is repeated. The answer is a list of pairs, each side by
side, with documents, clusters and pictures; it can be saved as a report in one file, with or without names, and for
other programs.

With --install, an entry among the programs of the desktop starts it from then on, without a terminal. If the app runs
already, a second start opens its page; Quit on the page ends it.

The server answers on this machine alone, and needs no network. The address has a secret: only those who have it can
open the projects. It stays the same for a folder, so a bookmark keeps working. Projects are kept in a folder of the
user, or in --folder. A question that is being answered continues when the page is closed; if the server is ended, its
answer is begun again at the next start. Needs the extra app: pip install 'ibidem[app]'.

Examples:

    ibidem app --install
    ibidem app
    ibidem app --folder ~/essays.projects --port 8642
    ibidem app --no-browser
"""

import socket
import sys
import webbrowser
from pathlib import Path
from threading import Event

import click

from ibidem.cli.command import command
from ibidem.cli.listening import listen
from ibidem.cli.options import OutputPath
from ibidem.cli.terminal import tell
from ibidem.errors import LockedError, MissingExtraError
from ibidem.resources import memory_bytes

PORT = 8642
"""Of the page, unless another program has it."""


@command(__doc__)
@click.option("--install", is_flag=True, help="Make an entry among the programs of the desktop, and end.")
@click.option(
    "--folder",
    metavar="FOLDER",
    type=OutputPath(file_okay=False),
    help="Where projects are kept.  [default: the user's folder for data]",
)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), help=f"Port of the page.  [default: {PORT}, or any free one]"
)
@click.option("--browser/--no-browser", default=True, help="Open the page.")
@click.option("--memory", metavar="SIZE", default="1G", show_default=True, help="Memory for one question.")
@click.option(
    "--hours",
    metavar="N",
    type=click.FloatRange(0.01, 240),
    default=4,
    show_default=True,
    help="Most hours for one question.",
)
def app(*, install: bool, folder: str | None, port: int | None, browser: bool, memory: str, hours: float) -> None:
    """Serve the page until the command is ended."""
    try:
        from ibidem.web.projects.server import make_app
    except ImportError as error:
        raise MissingExtraError("the app", "app") from error
    if install:
        _install(folder)
        return
    from ibidem.system.folders import data_folder
    from ibidem.web.projects.folder import hold_folder, note_address, read_address, take_secret
    from ibidem.web.projects.processes import ProjectProcesses
    from ibidem.web.projects.projects import Projects

    place = Path(folder) if folder else data_folder()
    try:
        lock = hold_folder(place)
    except LockedError:
        address = read_address(place)
        if not browser or address is None:
            raise
        webbrowser.open(address)
        return
    projects, secret = Projects(place / "projects"), take_secret(place)
    workers, stopping = ProjectProcesses(projects, round(3600 * hours), memory_bytes(memory)), Event()

    def begin(address: str) -> None:
        url = f"{address}/?key={secret}"
        note_address(place, url)
        tell(f"projects in {place}")
        tell(f"open {url}")
        if browser:
            webbrowser.open(url)

    try:
        page = make_app(projects, workers, secret, stopping.set)
        listen(page, "127.0.0.1", _choose_port(port), begin, stopping=stopping)
    finally:
        lock.close()


def _choose_port(port: int | None) -> int:
    """The port that was asked for; else the usual one, or 0 for any if another program has it."""
    if port is not None:
        return port
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", PORT))
        except OSError:
            return 0
    return PORT


def _install(folder: str | None) -> None:
    """Make the entry that starts the app by this Python, with these projects."""
    from ibidem.system.launchers import install_launcher

    command = [sys.executable, "-m", "ibidem.cli", "app"]
    command += ["--folder", str(Path(folder).absolute())] if folder else []
    tell(f"{install_launcher('ibidem', 'Compare texts', command)}: ibidem is among the programs of this desktop")
