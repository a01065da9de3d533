"""Requests that have no answer: the exception, and the answer that says why."""

from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from ibidem.service.answers import Problem
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    from starlette.responses import Response

__all__ = ["ProblemError", "answer_problem"]


_LONGEST = 2000
"""Characters of a detail."""


class ProblemError(Exception):
    """A request that has no answer."""

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
    said = Problem(title=HTTPStatus(problem.status).phrase, status=problem.status, detail=detail)
    return Response(msgspec.json.encode(said), problem.status, problem.headers, "application/problem+json")
