"""MCP over streamable HTTP, at ``/mcp``; it needs the extra ``serve``."""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ibidem.text.json_values import encode_json
from ibidem.web.access import Access
from ibidem.web.agents.messages import read_message
from ibidem.web.agents.tools import Agents
from ibidem.web.limits import Limits, receive_body, require_type
from ibidem.web.problems import ProblemError, answer_or_problem


def make_http_app(agents: Agents, access: Access, limits: Limits = Limits()) -> Starlette:  # noqa: B008
    """An ASGI application that answers one message in each request, for those who may read."""

    async def admit(request: Request) -> Response:
        access.admit(request, "read")
        if request.method != "POST":
            raise ProblemError(405, "a message is sent with POST", allow="POST")
        body = await receive_body(request, limits)
        require_type(request, "application/json")
        message = read_message(body.decode("utf-8", "replace"))
        if message.refusal is not None:
            return Response(message.refusal, 400, None, "application/json")
        answer = None if message.value is None else await asyncio.to_thread(agents.answer, message.value)
        return Response(status_code=202) if answer is None else Response(encode_json(answer), 200, None, _JSON)

    async def answer(request: Request) -> Response:
        return await answer_or_problem(admit(request))

    methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS"]
    return Starlette(routes=[Route("/mcp", answer, methods=methods)])


_JSON = "application/json"
