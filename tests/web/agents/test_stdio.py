"""What comes on standard input is answered, line by line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
ALIGN: dict[str, Any] = {"name": "align_texts", "arguments": {"a": "half \ud800 of a pair", "b": "half of a pair"}}


def request(id: Any, method: Any, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


LINES = {
    b"{": -32700,
    b"\xff\xfe": -32700,
    b"": None,
    b"[1]": -32600,
    b'{"id": 1, "method": "ping"}': -32600,
    b'{"jsonrpc": "2.0", "id": 8, "method": "none"}': -32601,
    b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call"}': -32602,
    b'{"a": "' + b"x" * 5_000_000 + b'"}': -32600,
}
"""Lines, and the code of the answer."""


def test_every_line_is_answered(built: Path) -> None:
    command = [sys.executable, "-m", "ibidem.cli", "mcp", str(built)]
    lines = [request(0, "initialize", **HELLO), b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', *LINES]
    lines += [request(9, "tools/call", **ALIGN), request("last", "ping")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(b"\n".join(lines) + b"\n")
        running.stdin.flush()
        expected = [code for code in LINES.values() if code is not None]
        answers = [json.loads(running.stdout.readline()) for _ in range(len(expected) + 3)]
        running.stdin.close()
    assert running.returncode == 0
    assert sorted(answer["error"]["code"] for answer in answers if "error" in answer) == sorted(expected)
    results = {answer["id"]: answer["result"] for answer in answers if "result" in answer}
    assert set(results) == {0, 9, "last"}
    assert results[9]["structuredContent"]["total"] >= 0
