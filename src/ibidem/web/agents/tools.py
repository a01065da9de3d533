"""The tools of AI agents over the Model Context Protocol (MCP): operations of the service that read, by other names.

Of the protocol this is all that a server of tools needs: a handshake, the list of tools, and calls. Each message is
answered by itself, so streamable HTTP needs no sessions.
"""

import logging
from collections.abc import Callable
from typing import Any

import msgspec

import ibidem
from ibidem.counts import format_count
from ibidem.errors import IbidemError
from ibidem.text.json_values import encode_json, replace_surrogates
from ibidem.web.agents.messages import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, replace_all_surrogates
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.limits import RequestThreads
from ibidem.web.operations import Operation
from ibidem.web.problems import ProblemError

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol, the newest first."""

_NEEDS_INDEX = ("search_passages", "trace_text", "get_passage")

_DEFAULTS: dict[str, dict[str, Any]] = {"search_passages": {"limit": 10}}
"""Of arguments whose defaults would fill what an agent can read."""

_PASSAGE = 4000
"""Characters of a document that are given if no end is named."""


_log = logging.getLogger("ibidem.web")


class _RefusedError(Exception):
    """A request that is answered with an error of JSON-RPC."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


class Agents:
    """Answers messages of agents about indexes and evals."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        has = {"find_test_items": holdings.evals is not None, **dict.fromkeys(_NEEDS_INDEX, bool(holdings.indexes))}
        self._tools = {each.tool: each for each in OPERATIONS if each.tool is not None and has.get(each.tool, True)}
        self._threads = RequestThreads(holdings.limits, "ibidem-agents")
        self._methods: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "initialize": self._initialize,
            "ping": lambda params: {},
            "tools/list": lambda params: {"tools": [_describe_tool(*tool) for tool in self._tools.items()]},
            "tools/call": self._call,
        }

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a message; notifications and answers have none."""
        if "method" not in message or "id" not in message:
            return None
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            method = self._methods.get(message["method"])
            if method is None:
                raise _RefusedError(METHOD_NOT_FOUND, f"there is no method {message['method']!r}")
            return answer | {"result": method(message.get("params", {}))}
        except _RefusedError as error:
            return answer | {"error": {"code": error.code, "message": replace_surrogates(str(error))}}
        except Exception:
            _log.exception("%s failed", message["method"])
            return answer | {"error": {"code": INTERNAL_ERROR, "message": "an error of ibidem; its log has more"}}

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "ibidem", "title": "ibidem", "version": ibidem.__version__},
            "instructions": _describe_holdings(self._holdings),
        }

    def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments") or {}
        operation = self._tools.get(name) if isinstance(name, str) else None
        if operation is None:
            raise _RefusedError(INVALID_PARAMS, f"no tool is called {name!r}; there is {', '.join(self._tools)}")
        if not isinstance(arguments, dict):
            raise _RefusedError(INVALID_PARAMS, "the arguments of a tool have names: arguments is an object")
        try:
            request = msgspec.convert(_complete(str(name), arguments), operation.takes)
        except msgspec.ValidationError as error:
            raise _RefusedError(INVALID_PARAMS, f"{name} takes other arguments: {error}") from error
        try:
            answer = self._threads.wait(operation.run, self._holdings, request)
            content = replace_all_surrogates(msgspec.to_builtins(answer))
        except (ProblemError, IbidemError, ValueError) as error:
            return {"content": [_as_text(replace_surrogates(str(error)))], "isError": True}
        return {"content": [_as_text(encode_json(content).decode())], "structuredContent": content}


def _complete(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    start = arguments.get("start", 0)
    if name == "get_passage" and "end" not in arguments and isinstance(start, int):
        return {**arguments, "end": start + _PASSAGE}
    return _DEFAULTS.get(name, {}) | arguments


def _describe_tool(name: str, operation: Operation) -> dict[str, Any]:
    [schema], components = msgspec.json.schema_components([operation.takes], ref_template="#/$defs/{name}")
    own = components.pop(schema["$ref"].rpartition("/")[2])
    for field, value in _DEFAULTS.get(name, {}).items():
        own["properties"][field] = own["properties"][field] | {"default": value}
    return {
        "name": name,
        "description": f"{operation.summary}. {own.get('description', '')}",
        "inputSchema": own | ({"$defs": components} if components else {}),
        "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
    }


def _as_text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _describe_holdings(holdings: Holdings) -> str:
    """The collections and evals of a service in words."""
    words = []
    if holdings.indexes:
        names = ", ".join(holdings.indexes)
        words.append(f"Finds matching passages of a text in these collections, with exact places to cite: {names}.")
    if holdings.evals is not None:
        words.append(f"Says which of {format_count(len(holdings.evals), 'item')} of evaluations a text holds.")
    return " ".join(words)
