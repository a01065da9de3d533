"""What an agent can do."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ibidem
from ibidem.web.agents import tools
from ibidem.web.agents.tools import Agents
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.limits import Limits

from ..samples import DOCUMENTS, EVALS, FERRY, PASSAGE

TOOLS = {"search_passages", "align_texts", "find_sources", "get_passage"}


@pytest.fixture
def holdings(built: Path) -> Iterator[Holdings]:
    served = ServedIndex(built)
    yield Holdings({served.name: served}, Limits(seconds=20))
    served.close()


class Answer:
    """What a tool answered, by the names that the protocol's own client has."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.structured_content = answer.get("structuredContent")
        self.is_error, self.text = answer.get("isError", False), answer["content"][0]["text"]


def call(agents: Agents, *calls: tuple[str, dict[str, Any]]) -> list[Answer]:
    """What the tools answer, one after another."""
    asked = (ask(agents, "tools/call", name=name, arguments=arguments) for name, arguments in calls)
    return [Answer(answer["result"]) for answer in asked]


def ask(agents: Agents, method: str, **params: Any) -> Any:
    """The answer to a request."""
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return json.loads(agents.answer(line.encode()) or b"")


def test_a_passage_is_found_aligned_and_read(holdings: Holdings) -> None:
    text = f"Nobody knew the harbour. {FERRY} And so it was."
    found, aligned, sources, read = call(
        Agents(holdings),
        ("search_passages", {"text": PASSAGE}),
        ("align_texts", {"a": text, "b": FERRY.replace("lanterns", "torches")}),
        ("find_sources", {"text": text}),
        ("get_passage", {"document": "ferry", "start": 5, "end": 95}),
    )
    [match] = found.structured_content["matches"]
    assert match["document"] == "ferry"
    assert FERRY[match["start"] : match["end"]] == match["text"]
    [pair] = aligned.structured_content["pairs"]
    assert ("lanterns" in pair["a_text"], "torches" in pair["b_text"]) == (True, True)
    [source] = sources.structured_content["matches"]
    assert text[source["query_start"] : source["query_end"]] == FERRY.rstrip(".")
    assert read.structured_content["text"] == FERRY[5:95]
    assert read.structured_content["metadata"] == {"year": 1903}


def test_an_agent_names_texts_to_ignore(holdings: Holdings) -> None:
    text, ignore = f"Nobody knew the harbour. {FERRY}", [FERRY]
    found, aligned, sources = call(
        Agents(holdings),
        ("search_passages", {"text": text, "ignore": ignore, "threshold": 0.4}),
        ("align_texts", {"a": text, "b": FERRY, "ignore": ignore}),
        ("find_sources", {"text": text, "ignore": ignore}),
    )
    assert found.structured_content["matches"] == aligned.structured_content["pairs"] == []
    assert sources.structured_content["matches"] == []
    for answer, sides in ((found, 1), (aligned, 2), (sources, 1)):
        ignored = answer.structured_content["ignored"]
        assert len(ignored) == sides
        assert (ignored[0]["text"], text[ignored[0]["start"] : ignored[0]["end"]]) == ("0", FERRY.rstrip("."))


def test_the_items_that_a_text_holds_are_named_with_their_places(holdings: Holdings) -> None:
    gate = ibidem.EvalIndex(EVALS, DOCUMENTS)
    question = gate.detector.items[0].question
    text = f"A quiz. {question} Good luck."
    for held in (holdings._replace(evals=gate), Holdings({}, Limits(seconds=20), gate)):
        [found] = call(Agents(held), ("find_test_items", {"documents": [{"text": text}]}))
        [leak] = found.structured_content["leaks"]
        assert text[leak["start"] : leak["end"]] == leak["text"] == question.rstrip("?")
        assert (leak["eval_key"], leak["part"], leak["kind"]) == ("evals", "question", "leak")


def test_a_request_is_answered_whatever_happens(holdings: Holdings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise KeyError("of no concern to who asked")

    [operation] = [each for each in OPERATIONS if each.tool == "align_texts"]
    monkeypatch.setattr(tools, "OPERATIONS", [dataclasses.replace(operation, run=fail, gives_raw=None)])
    error = ask(Agents(holdings), "tools/call", name="align_texts", arguments={"a": "x", "b": "y"})["error"]
    assert error == {"code": -32603, "message": "an error of ibidem; its log has more"}


def list_tools(agents: Agents) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = ask(agents, "tools/list")["result"]["tools"]
    return listed


def names(holdings: Holdings) -> set[str]:
    return {tool["name"] for tool in list_tools(Agents(holdings))}


def test_tools_are_there_for_what_is_served(holdings: Holdings) -> None:
    gate = ibidem.EvalIndex(EVALS, DOCUMENTS)
    assert names(holdings) == TOOLS
    assert names(holdings._replace(evals=gate)) == TOOLS | {"find_test_items"}
    assert names(Holdings({}, Limits(seconds=20), gate)) == {"align_texts", "find_test_items"}


@pytest.mark.parametrize(
    ("tool", "arguments", "cause"),
    [
        ("search_passages", {"text": "!!!"}, "token"),
        ("search_passages", {"text": PASSAGE, "index": "none"}, "no index is called 'none'"),
        ("get_passage", {"document": "../../etc/passwd"}, "no document"),
    ],
)
def test_what_is_wrong_is_said_to_the_agent(
    holdings: Holdings, tool: str, arguments: dict[str, Any], cause: str
) -> None:
    [answer] = call(Agents(holdings), (tool, arguments))
    assert answer.is_error
    assert cause in answer.text


@pytest.mark.parametrize(
    ("method", "params", "code", "cause"),
    [
        ("resources/list", {}, -32601, "there is no method 'resources/list'"),
        ("tools/call", {}, -32602, "no tool is called None; there is search_passages"),
        ("tools/call", {"name": "search"}, -32602, "no tool is called 'search'"),
        ("tools/call", {"name": "search_passages"}, -32602, "missing required field `text`"),
        ("tools/call", {"name": "search_passages", "arguments": [1]}, -32602, "arguments is an object"),
        ("tools/call", {"name": "search_passages", "arguments": {"text": "x", "threshold": 2}}, -32602, "<= 1.0"),
        ("tools/call", {"name": "search_passages", "arguments": {"text": "x", "treshold": 1}}, -32602, "treshold"),
    ],
)
def test_a_request_that_is_none_is_refused_in_the_words_of_json_rpc(
    holdings: Holdings, method: str, params: dict[str, Any], code: int, cause: str
) -> None:
    error = ask(Agents(holdings), method, **params)["error"]
    assert error["code"] == code
    assert cause in error["message"]


def test_the_tools_say_what_they_do_and_that_they_only_read(holdings: Holdings) -> None:
    listed = list_tools(Agents(holdings))
    assert {tool["name"] for tool in listed} == TOOLS
    assert all(tool["description"] and tool["annotations"]["readOnlyHint"] for tool in listed)
    assert all(tool["inputSchema"]["type"] == "object" for tool in listed)
    [search] = [tool for tool in listed if tool["name"] == "search_passages"]
    assert search["inputSchema"]["properties"]["limit"]["default"] == 10


def test_half_of_a_surrogate_pair_in_a_document_or_a_call_is_replaced(tmp_path: Path) -> None:
    name = "half \ud800"
    ibidem.PassageIndex.build(tmp_path / "x.ibidem", [(name, f"{FERRY} \ud83d and so on")], min_length=8).close()
    served = ServedIndex(tmp_path / "x.ibidem")
    server = Agents(Holdings({served.name: served}, Limits(seconds=20)))
    found, aligned, wrong = call(
        server,
        ("search_passages", {"text": PASSAGE}),
        ("align_texts", {"a": f"{FERRY} \ufffd", "b": f"{FERRY} \ufffd"}),
        ("get_passage", {"document": "none"}),
    )
    served.close()
    assert found.structured_content["matches"][0]["document"] == "half \ufffd"
    assert aligned.structured_content["total"] == 1
    assert wrong.is_error
