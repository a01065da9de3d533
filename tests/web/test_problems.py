"""A problem is answered as RFC 9457 has it."""

import json

from ibidem.web.problems import ProblemError, answer_problem


def test_a_problem_says_its_status_and_its_cause() -> None:
    response = answer_problem(ProblemError(503, "try again", retry_after="10", connection="close"))
    assert response.status_code == 503
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.headers["retry-after"], response.headers["connection"]) == ("10", "close")
    assert json.loads(bytes(response.body)) == {
        "title": "Service Unavailable",
        "status": 503,
        "detail": "try again",
        "type": "about:blank",
    }


def test_a_detail_that_is_no_unicode_is_answered_too() -> None:
    response = answer_problem(ProblemError(404, "no document 'ü\ud800'"))
    assert json.loads(bytes(response.body))["detail"] == "no document 'ü\N{REPLACEMENT CHARACTER}'"
