"""What a built package holds beside the code: man pages, completion of shells, and the addresses of the project.

Hatchling loads this file. It imports the command line, which needs click and nothing else that is heavy.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

COMPLETIONS = {
    "bash": "share/bash-completion/completions/ibidem",
    "zsh": "share/zsh/site-functions/_ibidem",
    "fish": "share/fish/vendor_completions.d/ibidem.fish",
}
"""Where each shell looks for completions, below the prefix of an installation."""


class Addresses(MetadataHookInterface):
    """The addresses of the project, from the repository that the package is built in."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them where IBIDEM_REPOSITORY names the address of the repository, as the release workflow does."""
        repository = os.environ.get("IBIDEM_REPOSITORY", "").rstrip("/")
        if repository:
            metadata["urls"] = {
                "Source": repository,
                "Issues": f"{repository}/issues",
                "Changelog": f"{repository}/blob/main/CHANGELOG.md",
                "Security": f"{repository}/blob/main/SECURITY.md",
            }


class ManualPages(BuildHookInterface[Any]):
    """A man page for each command, and completion for three shells."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them into a folder of their own and add them to the wheel; an editable installation has none."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root, "src")))
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="ibidem-build-")
            folder = Path(self._folder.name)
            for path in [*write_man_pages(folder), *write_completions(folder)]:
                build_data["shared_data"][str(path)] = path.relative_to(folder).as_posix()
        finally:
            sys.path.remove(str(Path(self.root, "src")))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if version != "editable":
            self._folder.cleanup()


def write_man_pages(folder: Path) -> list[Path]:
    """Write ``share/man/man1/ibidem*.1`` into a folder; returns their paths."""
    import click
    from click_man.core import write_man_pages as write_pages

    import ibidem
    from ibidem.cli.group import main

    place = folder / "share/man/man1"
    place.mkdir(parents=True)
    names = main.list_commands(click.Context(main))
    commands = {name: main.get_command(click.Context(main), name) for name in names}
    group = click.Group("ibidem", commands=commands, help=main.help, params=main.params)
    _summarize(group)
    write_pages("ibidem", group, version=ibidem.__version__, target_dir=str(place))
    return sorted(place.iterdir())


def _summarize(command: Any) -> None:
    """Give a command, and those below it, its first sentence as short help: a shortened one ends in dots."""
    command.short_help = re.split(r"[.:](?=\s|$)", command.help.strip().replace("\n", " "))[0] + "."
    for subcommand in getattr(command, "commands", {}).values():
        _summarize(subcommand)


def write_completions(folder: Path) -> list[Path]:
    """Write the completion of each shell into a folder; returns their paths."""
    from click.shell_completion import get_completion_class

    from ibidem.cli.group import main

    paths = []
    for shell, name in COMPLETIONS.items():
        completion = get_completion_class(shell)
        assert completion is not None  # click has these three
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(completion(main, {}, "ibidem", "_IBIDEM_COMPLETE").source(), encoding="utf-8")
        paths.append(path)
    return paths
