"""Problems: the exception for a request that is refused, and the answer that gives the reason."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from ibidem.errors import IbidemError
from ibidem.text.json_values import replace_surrogates
from ibidem.web.answers import Problem

if TYPE_CHECKING:
    from starlette.responses import Response

_LONGEST = 2000
"""Characters of a detail."""


class ProblemError(Exception):
    """A request that is refused or cannot be answered."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def answer_problem(problem: ProblemError) -> "Response":
    """The answer as ``application/problem+json``."""
    from starlette.responses import Response

    detail = replace_surrogates(problem.detail)
    if len(detail) > _LONGEST:  # it names what was sent
        detail = f"{detail[:_LONGEST]} ..."
    answer = Problem(title=HTTPStatus(problem.status).phrase, status=problem.status, detail=detail)
    return Response(msgspec.json.encode(answer), problem.status, problem.headers, "application/problem+json")


async def answer_or_problem(answering: Awaitable["Response"]) -> "Response":
    """The answer to a request, or the problem that prevents one: of a bad value or a bad collection, 422."""
    from starlette.requests import ClientDisconnect
    from starlette.responses import Response

    try:
        return await answering
    except ProblemError as problem:
        return answer_problem(problem)
    except ClientDisconnect:
        return Response(status_code=400)
    except (ValueError, IbidemError) as error:
        return answer_problem(ProblemError(422, str(error)))
