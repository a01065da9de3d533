"""ibidem mcp: what an agent that starts it is answered."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from .samples import CHANGED, Run


def test_an_agent_speaks_over_standard_input_and_output(folder: Path, environment: dict[str, str]) -> None:
    from mcp import Client, StdioServerParameters

    command = ["-m", "ibidem.cli", "mcp", str(folder / "books.ibidem")]
    place = StdioServerParameters(command=sys.executable, args=command, env=environment)

    async def ask() -> Any:
        async with Client(place, read_timeout_seconds=60) as client:
            return await client.call_tool("search_passages", {"text": CHANGED})

    found = asyncio.run(ask())
    assert found.structured_content["matches"][0]["document"] == "ferry.txt"


@pytest.mark.usefixtures("folder")
def test_agents_need_an_index_or_evals(run: Run) -> None:
    assert "give an INDEX or --evals EVALS" in run("mcp").stderr
    assert "for --evals" in run("mcp", "books.ibidem", "--question", "text").stderr
