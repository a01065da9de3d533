"""The command ``ibidem``: one file per command, and the docstring of the file is the command's help."""

from ibidem.cli.group import main

__all__ = ["main"]
