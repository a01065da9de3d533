"""Messages of JSON-RPC 2.0 as agents send them: what is wrong with one, and how it is answered."""

import json
from typing import Any, NamedTuple, NoReturn

from ibidem.text.json_values import has_surrogate, replace_surrogates

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603


class Message(NamedTuple):
    """A valid message, or the answer to one that is not valid.

    Attributes:
        value: the message, with U+FFFD in the place of each half of a surrogate pair; ``None`` if it needs no answer.
        refusal: the answer that says what is wrong with it.
    """

    value: dict[str, Any] | None
    refusal: str | None = None


def read_message(text: str) -> Message:
    """Read a request, a notification or an answer, of which MCP takes one at a time and with named parameters."""
    try:
        return _check(json.loads(text, parse_constant=_refuse_constant))
    except RecursionError:
        return refuse_message(PARSE_ERROR, "the message is nested too deep")
    except ValueError as error:
        return refuse_message(PARSE_ERROR, f"the message is no JSON: {error}")


def refuse_message(code: int, words: str, name: Any = None) -> Message:
    """The answer to a message that is refused."""
    error = {"code": code, "message": words}
    return Message(None, json.dumps({"jsonrpc": "2.0", "id": name, "error": error}))


def _check(message: Any) -> Message:
    if not isinstance(message, dict):
        return refuse_message(INVALID_REQUEST, "a message is one JSON object")
    name = message.get("id")
    message_id = name if _is_id(name) else None
    if "id" in message and message_id is None:
        return refuse_message(INVALID_REQUEST, "the id of a request is a string or an integer")
    if fault := _find_fault(message):
        return refuse_message(INVALID_REQUEST, fault, message_id)
    if isinstance(message.get("params"), list):
        if "id" not in message:
            return Message(None)  # a notification is never answered
        return refuse_message(INVALID_PARAMS, "parameters have names: params is an object", message_id)
    return Message(replace_all_surrogates(message))


def replace_all_surrogates(value: Any) -> Any:
    """A value of JSON with U+FFFD in the place of each half of a surrogate pair."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, dict):
        return {replace_surrogates(name): replace_all_surrogates(item) for name, item in value.items()}
    return [replace_all_surrogates(item) for item in value] if isinstance(value, list) else value


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return not has_surrogate(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _find_fault(message: dict[str, Any]) -> str | None:
    """Find why an object is no message of JSON-RPC; ``None`` if it is one."""
    if message.get("jsonrpc") != "2.0":
        return 'a message has "jsonrpc": "2.0"'
    if "method" in message:
        if not isinstance(message["method"], str):
            return "a method is a string"
        return None if isinstance(message.get("params", {}), dict | list) else "params is an object"
    if "id" not in message or ("result" in message) == ("error" in message):
        return "a message has a method, or an id and either a result or an error"
    return None if isinstance(message.get("error", {}), dict) else "error is an object"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
