"""Every message is worked on or refused as JSON-RPC says, and none is passed over."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text.json_values import has_surrogate
from ibidem.web.agents.messages import read_message, replace_all_surrogates

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers() | st.text() | JSON,
        "method": st.text() | JSON,
        "params": st.dictionaries(st.text(), JSON, max_size=2) | JSON,
        "result": JSON,
        "error": JSON,
    },
)


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [
        ("{", -32700, None),
        ("nonsense", -32700, None),
        ("\ufffd", -32700, None),
        ("NaN", -32700, None),
        ("[" * 100_000, -32700, None),
        ('{"jsonrpc": "2.0", "id": ' + "9" * 5000 + ', "method": "ping"}', -32700, None),
        ("[]", -32600, None),
        ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600, None),
        ("null", -32600, None),
        ("{}", -32600, None),
        ('{"id": 1, "method": "ping"}', -32600, 1),
        ('{"jsonrpc": "1.0", "id": "a", "method": "ping"}', -32600, "a"),
        ('{"jsonrpc": "2.0", "id": 1}', -32600, 1),
        ('{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}', -32600, 1),
        ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
        ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600, None),
        ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
        ('{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32600, None),
        ('{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600, 1),
        ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 5}', -32600, 1),
        ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32602, 1),
    ],
)
def test_what_is_wrong_with_a_message_is_answered(text: str, code: int, name: Any) -> None:
    message = read_message(text)
    assert message.value is None
    assert message.refusal is not None
    answer = json.loads(message.refusal)
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", name, code)


def test_half_of_a_surrogate_pair_is_replaced_and_places_stay() -> None:
    sent = (
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"a\\udc00": ["b\\ud800c", "\\ud83d\\ude00"]}}'
    )
    message = read_message(sent)
    assert message.refusal is None
    assert (message.value or {})["params"] == {"a\ufffd": ["b\ufffdc", "\U0001f600"]}


@given(JSON | FIELDS, st.booleans())
def test_a_message_is_worked_on_or_refused(value: Any, spoiled: bool) -> None:
    text = json.dumps(value)[: -1 if spoiled else None]
    message = read_message(text)
    assert not (message.value and message.refusal)
    if message.value is not None:
        assert message.value == replace_all_surrogates(value)
        assert not has_surrogate(json.dumps(message.value, ensure_ascii=False))
    elif message.refusal is None:  # a notification with parameters that have no names
        assert "id" not in value
        assert isinstance(value["params"], list)
    else:
        assert json.loads(message.refusal)["error"]["code"] in (-32700, -32600, -32602)
