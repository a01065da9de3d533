"""Describe the contents and the size of an index.

Examples:

    ibidem info books.ibidem
    ibidem info books.ibidem --json
"""

import sys
from typing import TYPE_CHECKING, Any

from ibidem.cli.command import command
from ibidem.cli.options import as_json, index_argument
from ibidem.cli.terminal import console, is_terminal, write_json

if TYPE_CHECKING:
    from rich.table import Table


@command(__doc__)
@index_argument
@as_json
def info(index: str, as_json: bool) -> None:
    """Describe the index."""
    from ibidem.cli.indexes import open_index

    with open_index(index) as opened_index:
        facts = opened_index.info()
    tokens = max(1, facts["tokens"])
    facts["bytes_per_token"] = {part: round(size / tokens, 3) for part, size in facts["bytes"].items()}
    if as_json or not is_terminal(sys.stdout):
        write_json(facts)
        return
    out = console()
    out.print(_facts_table(facts))
    out.print()
    out.print(_sizes_table(facts))


def _facts_table(facts: dict[str, Any]) -> "Table":
    from rich.table import Table

    table = Table(box=None, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, value in facts.items():
        if not isinstance(value, dict):
            table.add_row(name, f"{value:,}" if isinstance(value, int) else str(value))
    for name, value in facts["configuration"].items():
        table.add_row(name.replace("_", " "), _setting(value))
    return table


def _setting(value: Any) -> str:
    """A setting in words, such as ``words, shingle 3`` for a tokenizer."""
    if not isinstance(value, dict):
        return str(value)
    parts = {name: part for name, part in value.items() if name not in ("name", "normalization")}
    if "normalization" in value:
        parts["normalized by"] = " and ".join(value["normalization"]["names"])
    return ", ".join([str(value.get("name", "")), *(f"{name} {part}" for name, part in parts.items())])


def _sizes_table(facts: dict[str, Any]) -> "Table":
    from rich.table import Table

    table = Table("part", box=None, header_style="dim")
    table.add_column("bytes", justify="right")
    table.add_column("per token", justify="right")
    tokens = max(1, facts["tokens"])
    for part, size in sorted(facts["bytes"].items(), key=lambda item: -item[1]):
        if size:
            table.add_row(part, f"{size:,}", f"{size / tokens:.2f}")
    total = sum(facts["bytes"].values())
    table.add_row("all", f"{total:,}", f"{total / tokens:.2f}", style="bold")
    return table
