"""Compare files in a browser, without commands.

A page opens. Drop files on it, a folder, a zip or a tar, in any format that readers know, and ask: who has text in
common, where a passage occurs, how two texts differ, what is repeated. The answer is a list of pairs, each side by
side, with documents, clusters and pictures; it can be saved as a report in one file, with or without names, and for
other programs.

The server answers on this machine alone, and needs no network. The address has a secret: only those who have it can
open the projects. They are kept in a folder of the user, or in --folder. A question that is being answered continues
when the page is closed or the server is ended, and is found again. Needs the extra app: pip install 'ibidem[app]'.

Examples:

    ibidem app
    ibidem app --folder ~/essays.projects --port 8642
    ibidem app --no-browser
"""

import webbrowser
from pathlib import Path

import click

from ibidem.cli.command import command
from ibidem.cli.listening import listen
from ibidem.cli.options import OutputPath
from ibidem.cli.terminal import tell
from ibidem.errors import MissingExtraError
from ibidem.resources import memory_bytes


@command(__doc__)
@click.option(
    "--folder",
    metavar="FOLDER",
    type=OutputPath(file_okay=False),
    help="Where projects are kept.  [default: the user's folder for data]",
)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=0, help="Port of the page.  [default: any free one]"
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
def app(*, folder: str | None, port: int, browser: bool, memory: str, hours: float) -> None:
    """Serve the page until the command is ended."""
    try:
        from ibidem.web.projects.server import make_app, make_secret
    except ImportError as error:
        raise MissingExtraError("the app", "app") from error
    from ibidem.system.folders import data_folder
    from ibidem.web.projects.folder import hold_folder, note_address
    from ibidem.web.projects.projects import Projects
    from ibidem.web.projects.runs import ProjectProcesses

    place = Path(folder) if folder else data_folder()
    lock = hold_folder(place)
    projects, secret = Projects(place / "projects"), make_secret()
    workers = ProjectProcesses(projects, round(3600 * hours), memory_bytes(memory))

    def begin(address: str) -> None:
        url = f"{address}/?key={secret}"
        note_address(place, url)
        tell(f"projects in {place}")
        tell(f"open {url}")
        if browser:
            webbrowser.open(url)

    try:
        listen(make_app(projects, workers, secret), "127.0.0.1", port, begin, idle=120.0)
    finally:
        lock.close()
