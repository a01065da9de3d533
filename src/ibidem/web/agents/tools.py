"""The tools of AI agents over the Model Context Protocol (MCP): operations of the service that read, by other names.

Of the protocol this is all that a server of tools needs: a handshake, the list of tools, and calls, as messages of
JSON-RPC 2.0.
"""

import json
import logging
from collections.abc import Callable
from typing import Any, Literal

import msgspec

import ibidem
from ibidem.counts import format_count
from ibidem.errors import IbidemError
from ibidem.text.json_values import encode_json, replace_surrogates
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.operations import Operation
from ibidem.web.problems import ProblemError

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol, the newest first."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
"""The errors of JSON-RPC."""

_NEEDS_INDEX = ("search_passages", "find_sources", "get_passage")

_DEFAULTS: dict[str, dict[str, Any]] = {"search_passages": {"limit": 10}, "find_sources": {"limit": 10}}
"""Of arguments whose defaults would fill what an agent can read."""

_PASSAGE = 4000
"""Characters of a document that are given if no end is named."""

_log = logging.getLogger("ibidem.web")


class _Message(msgspec.Struct, frozen=True):
    """A request, a notification or an answer."""

    jsonrpc: Literal["2.0"]
    method: str | None = None
    id: str | int | None = None
    params: dict[str, Any] = {}


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
        self._methods: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "initialize": self._initialize,
            "ping": lambda params: {},
            "tools/list": lambda params: {"tools": [_describe_tool(*tool) for tool in self._tools.items()]},
            "tools/call": self._call,
        }

    def answer(self, line: bytes) -> bytes | None:
        """The answer to a message; notifications and answers have none."""
        name = None
        try:
            message = _read_message(line)
            name = message.id
            if message.method is None or name is None:
                return None
            answer = {"result": self._run(message.method, message.params)}
        except _RefusedError as error:
            answer = {"error": {"code": error.code, "message": replace_surrogates(str(error))}}
        return encode_json(_replace_all_surrogates({"jsonrpc": "2.0", "id": name, **answer}))

    def _run(self, name: str, params: dict[str, Any]) -> dict[str, Any]:
        method = self._methods.get(name)
        if method is None:
            raise _RefusedError(METHOD_NOT_FOUND, f"there is no method {name!r}")
        try:
            return method(params)
        except _RefusedError:
            raise
        except Exception as error:
            _log.exception("%s failed", name)
            raise _RefusedError(INTERNAL_ERROR, "an error of ibidem; its log has more") from error

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
            content = msgspec.to_builtins(operation.run(self._holdings, request))
        except (ProblemError, IbidemError, ValueError) as error:
            return {"content": [_as_text(str(error))], "isError": True}
        return {"content": [_as_text(encode_json(content).decode())], "structuredContent": content}


def _read_message(line: bytes) -> _Message:
    """Read a message, of which MCP takes one at a time and with named parameters."""
    try:
        values = json.loads(line.decode("utf-8", "replace"))
        return msgspec.convert(_replace_all_surrogates(values), _Message)
    except msgspec.ValidationError as error:
        raise _RefusedError(INVALID_REQUEST, f"this is no message of JSON-RPC 2.0: {error}") from error
    except (ValueError, RecursionError) as error:
        raise _RefusedError(PARSE_ERROR, f"the message is no JSON: {error}") from error


def _replace_all_surrogates(value: Any) -> Any:
    """A value of JSON with U+FFFD in the place of each half of a surrogate pair."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, dict):
        return {replace_surrogates(name): _replace_all_surrogates(item) for name, item in value.items()}
    return [_replace_all_surrogates(item) for item in value] if isinstance(value, list) else value


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
