"""The service for agents: tools of the Model Context Protocol (MCP), which only read; it needs the extra ``mcp``."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations
from pydantic import Field
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

import ibidem
from ibidem.comparison import Comparison
from ibidem.counts import format_count
from ibidem.errors import IbidemError
from ibidem.options import list_defaults
from ibidem.text.json_values import replace_surrogates
from ibidem.web.access import Access
from ibidem.web.agents.messages import Message, read_message, replace_all_surrogates
from ibidem.web.indexes import contamination, documents, searches
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.shares import describe_words
from ibidem.web.limits import Limits, RequestThreads, receive_body, require_json
from ibidem.web.problems import ProblemError, answer_problem
from ibidem.web.requests import (
    CheckedDocument,
    ContaminationRequest,
    DocumentRequest,
    SearchRequest,
    TraceRequest,
)

_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

_SIMILAR, _SHARED, _LEAKED = (
    list_defaults(call)["threshold"] for call in (ibidem.PassageIndex.search, ibidem.align, ibidem.find_contamination)
)
"""The default thresholds of a search, of an alignment, and of items in documents."""

_MOST_PAIRS = 100
"""Pairs of passages that two texts are said to share."""

_PASSAGE = 4000
"""Characters of a document that are given if no end is named."""

Text = Annotated[str, Field(min_length=1, max_length=1_000_000)]
Index = Annotated[str | None, Field(description="Name of the index; the first if not given.")]
Share = Annotated[float, Field(gt=0, le=1, description="Least similarity, from 0 to 1.")]
Ignore = Annotated[
    Sequence[Annotated[str, Field(min_length=1)]],
    Field(max_length=100, description="Texts, such as a template, whose similar passages count as absent."),
]
Place = Annotated[int, Field(ge=0, description="Position in characters (Unicode code points).")]


def make_server(holdings: Holdings) -> MCPServer[Any]:
    """Make a server with tools: search a passage, align two texts, trace a text, read a passage, find test items.

    Those of indexes and of evals are there if the service has some.
    """
    workers = RequestThreads(holdings.limits)
    server: MCPServer[Any] = MCPServer(
        "ibidem",
        title="ibidem",
        version=ibidem.__version__,
        instructions=_describe(holdings),
        log_level="ERROR",
    )

    async def run(function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        return await _run(workers, function, *arguments)

    async def search_passages(
        text: Text,
        index: Index = None,
        threshold: Share = _SIMILAR,
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        cursor: Annotated[str | None, Field(description="The cursor of an answer, for its next page.")] = None,
        ignore: Ignore = (),
    ) -> dict[str, Any]:
        """Find passages of the collection that are similar to a passage, even where words were changed.

        Each match names its document, the exact place, the similarity, and the text of the passage.
        """
        request = SearchRequest(
            text=text, index=index, threshold=threshold, limit=limit, cursor=cursor, ignore=list(ignore)
        )
        return await run(searches.search, holdings, request)

    async def align_texts(a: Text, b: Text, threshold: Share = _SHARED, ignore: Ignore = ()) -> dict[str, Any]:
        """Find the passages that two texts share, and which words of them are the same, changed, moved or left out.

        Shares say how many words of either text the other one has.
        """
        return await run(_align, a, b, threshold, ignore)

    async def trace_text(text: Text, index: Index = None, ignore: Ignore = ()) -> dict[str, Any]:
        """Find which words of a text occur in documents of the collection, as they are or nearly so.

        Each span has its evidence: the rarer its words, the higher. Use it to find the sources of a text.
        """
        return await run(searches.trace, holdings, TraceRequest(text=text, index=index, ignore=list(ignore)))

    async def get_passage(
        document: Annotated[str, Field(min_length=1)], index: Index = None, start: Place = 0, end: Place | None = None
    ) -> dict[str, Any]:
        """Read a part of a document of the collection, with its metadata, to quote it."""
        last = start + _PASSAGE if end is None else end
        request = DocumentRequest(document=document, index=index, start=start, end=last)
        return await run(documents.read_document, holdings, request)

    async def find_test_items(
        text: Text,
        threshold: Annotated[float, Field(gt=0, le=1, description="Least share of a part of an item.")] = _LEAKED,
    ) -> dict[str, Any]:
        """Find the items of evaluations that a text holds, even where words were changed, before it is trained on.

        Leaks name the item and the place in the text. What is left out says why it is no leak: its kind is source,
        template, boilerplate, similar item, partial or chance.
        """
        request = ContaminationRequest(documents=[CheckedDocument(text=text)], threshold=threshold)
        return await run(contamination.find_leaks, holdings, request)

    tools: list[Callable[..., Any]] = [align_texts]
    if holdings.indexes:
        tools = [search_passages, align_texts, trace_text, get_passage]
    if holdings.evals is not None:
        tools.append(find_test_items)
    for tool in tools:
        server.add_tool(tool, annotations=_READS)
    return server


def _describe(holdings: Holdings) -> str:
    """The collections and evals of a service in words."""
    words = []
    if holdings.indexes:
        names = ", ".join(holdings.indexes)
        words.append(f"Finds matching passages of a text in these collections, with exact places to cite: {names}.")
    if holdings.evals is not None:
        words.append(f"Says which of {format_count(len(holdings.evals), 'item')} of evaluations a text holds.")
    return " ".join(words)


def make_http_app(server: MCPServer[Any], access: Access, limits: Limits = Limits()) -> ASGIApp:  # noqa: B008
    """An ASGI application that speaks streamable HTTP at ``/mcp``, for those who may read."""
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # `access` looks at the host
    return _Gate(server.streamable_http_app(transport_security=security, stateless_http=True), access, limits)


class _Gate:
    """Lets a request through to an application if it may read, and if its body is a message that came in time."""

    def __init__(self, app: ASGIApp, access: Access, limits: Limits) -> None:
        self._app, self._access, self._limits = app, access, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            self._access.admit(request, "read")
            message = await self._read(request)
        except ProblemError as problem:
            await answer_problem(problem)(scope, receive, send)
        except ClientDisconnect:
            return
        else:
            if message.refusal is not None:
                await Response(message.refusal, 400, None, "application/json")(scope, receive, send)
            else:
                await self._app(scope, _Replayed(message.text.encode(), receive), send)

    async def _read(self, request: Request) -> Message:
        body = await receive_body(request, self._limits)
        if request.method != "POST":
            return Message("")
        require_json(request)
        return read_message(body.decode("utf-8", "replace"))


class _Replayed:
    """A body that was read, to be read again."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Event:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


async def _run(workers: RequestThreads, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """The result of a function as a dictionary, from a thread; errors are reported to the agent."""
    try:
        answer = await workers.run(function, *arguments)
    except (ProblemError, IbidemError, ValueError) as error:
        raise ToolError(replace_surrogates(str(error))) from error
    content: dict[str, Any] = replace_all_surrogates(msgspec.to_builtins(answer))
    return content


def _align(a: str, b: str, threshold: float, ignore: Sequence[str]) -> dict[str, Any]:
    alignments = ibidem.align(a, b, threshold=threshold, ignore=list(ignore))
    pairs = [_describe_pair(alignments.compare(pair)) for pair in alignments[:_MOST_PAIRS]]
    shares = alignments.shares()
    return {
        "pairs": pairs,
        "total": len(alignments),
        "shares": {"a": describe_words(shares.a, "a", "b"), "b": describe_words(shares.b, "b", "a")},
        "ignored": [msgspec.structs.asdict(passage) | {"text": int(passage.text)} for passage in alignments.ignored],
    }


def _describe_pair(comparison: Comparison) -> dict[str, Any]:
    return {
        "a": {"start": comparison.a.start, "end": comparison.a.end, "text": comparison.a.text},
        "b": {"start": comparison.b.start, "end": comparison.b.end, "text": comparison.b.text},
        "similarity": comparison.similarity,
        "kind": comparison.kind,
        "differences": [
            {
                "kind": run.kind,
                "a": comparison.a.text[run.a_start - comparison.a.start : run.a_end - comparison.a.start],
                "b": comparison.b.text[run.b_start - comparison.b.start : run.b_end - comparison.b.start],
            }
            for run in comparison.runs
            if run.kind != "equal"
        ],
    }
