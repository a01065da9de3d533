"""What a built package holds beside the code: man pages, completions, machine code, the addresses of the project.

Hatchling loads this file. It imports the command line, and the functions whose arguments are options of commands, which
need click, lazy_loader and nothing that is heavy. Machine code is made in a process of its own.
"""

import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
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
    """A man page for each command, completion for three shells, and the machine code of kernels.

    The environment variable IBIDEM_KERNELS names the kinds of processors to compile kernels for, with commas between
    them, or "native" for the kind of this machine. Without it, none are compiled.
    """

    def dependencies(self) -> list[str]:
        """What it takes to compile kernels: all that runs them."""
        return list(self.metadata.core.dependencies) if wanted_kernels() else []

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
            libraries = build_kernels(Path(self.root), folder / "libraries")
            for path in libraries:
                build_data["force_include"][str(path)] = f"ibidem/kernels/libraries/{path.name}"
            if libraries:
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{find_platform(libraries)}"
        finally:
            sys.path.remove(str(Path(self.root, "src")))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if version != "editable":
            self._folder.cleanup()


def wanted_kernels() -> list[str]:
    """The kinds of processors to compile kernels for."""
    return [name.strip() for name in os.environ.get("IBIDEM_KERNELS", "").split(",") if name.strip()]


def build_kernels(root: Path, folder: Path) -> list[Path]:
    """Compile the kernels for each kind of processors that is wanted; returns the paths of libraries and indexes.

    Raises:
        subprocess.CalledProcessError: they cannot be compiled here.
    """
    for name in wanted_kernels():
        command = [sys.executable, str(root / "release/machine_code/build.py"), name, "--output", str(folder)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run(command, check=True, env=environment)
    return sorted(folder.iterdir()) if folder.is_dir() else []


def find_platform(libraries: list[Path]) -> str:
    """The platform of a wheel with these libraries: any glibc will do, unless they name a version of it."""
    plain = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    is_portable = not any(b"GLIBC_" in path.read_bytes() for path in libraries)
    if platform.libc_ver()[0] == "glibc" and is_portable:
        return plain.replace("linux", "manylinux_2_17")
    return plain


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
    pages = sorted(place.iterdir())
    for page in pages:
        page.write_text(clean_page(page.read_text("utf-8")), "utf-8")
    return pages


def clean_page(page: str) -> str:
    """The page of ``click_man`` with examples as they are in the help, and no line longer than 80 characters."""
    page = re.sub(r"\\(?!-|f[BP])", r"\\e", page)
    page = re.sub(r"^(\.SH .*\n)\.PP\n", r"\1", page, flags=re.MULTILINE)
    page = re.sub(r"^\x08?\n((?: {4}.*\n)+)", _keep_lines, page, flags=re.MULTILINE)
    lines: list[str] = []
    is_kept = False
    for line in page.splitlines():
        is_kept = (is_kept or line == ".nf") and line != ".fi"
        is_whole = is_kept or re.match(r"\.(TH|SH|PP|TP|B|nf|fi)\b|\\fB|ibidem\\-", line)
        lines += [line] if is_whole else _wrap(line)
    return "\n".join(lines) + "\n"


def _wrap(line: str) -> list[str]:
    """Lines of text, none of which begins as a request does."""
    lines = textwrap.wrap(line, 78, break_long_words=False, break_on_hyphens=False)
    return [r"\&" + each if each.startswith((".", "'")) else each for each in lines]


def _keep_lines(example: re.Match[str]) -> str:
    """Examples that are not filled, with hyphens that can be copied."""
    text = example[1].replace("-", r"\-")
    return f".nf\n{text}.fi\n"


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
