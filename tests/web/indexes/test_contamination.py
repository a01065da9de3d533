"""Documents are looked through over HTTP as ``find_contamination`` looks through them."""

import httpx

import ibidem
from ibidem.web.client import Client

from ..conftest import Serve, read_problem
from ..samples import DOCUMENTS, EVALS, QUESTION

PAGE = f"\N{GRINNING FACE} Quiz: {QUESTION} It is the Bloukrans."


def test_leaks_are_those_of_a_call_in_python(client: httpx.Client) -> None:
    answer = client.post("/v1/contamination", json={"documents": [{"text": "rain"}, {"id": "quiz", "text": PAGE}]})
    expected = ibidem.EvalIndex(EVALS, DOCUMENTS).find([("0", "rain"), ("quiz", PAGE)])
    held = answer.json()
    assert held["leaks"] == [{**row, "training_line": None} for row in _rows(expected)]
    assert held["leaks"][0]["start"] == PAGE.index("Which")
    assert (held["contaminated"], held["documents"], held["total"]) == (["quiz"], 2, 1)
    assert held["tokens"] == expected.summary["tokens"]
    assert held["leaks"][0]["is_correct"] is True


def _rows(found: ibidem.Contamination) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = found.contamination.to_pylist()
    return rows


def test_what_is_no_leak_is_given_with_its_reason(client: httpx.Client) -> None:
    text = f"{' '.join(QUESTION.split()[:9])} of another country?"
    held = client.post("/v1/contamination", json={"documents": [{"text": text}], "threshold": 0.95}).json()
    assert (held["leaks"], held["contaminated"]) == ([], [])
    assert {each["kind"] for each in held["left_out"]} == {"partial"}
    assert held["total_left_out"] == len(held["left_out"])


def test_no_more_leaks_come_than_were_asked_for(client: httpx.Client) -> None:
    asked = {"documents": [{"text": PAGE}] * 3, "limit": 2}
    found = client.post("/v1/contamination", json=asked).json()
    assert (len(found["leaks"]), found["total"]) == (2, 3)


def test_too_many_documents_none_and_a_service_without_evals_are_refused(client: httpx.Client, serve: Serve) -> None:
    for documents in ([], [{"text": ""}] * 1001):
        assert read_problem(client.post("/v1/contamination", json={"documents": documents}))[0] == 400
    problem = read_problem(serve().post("/v1/contamination", json={"documents": [{"text": PAGE}]}))
    assert problem == (404, "this service has no evals: start it with --evals")


def test_a_service_may_have_evals_alone_and_the_client_asks_it(serve: Serve) -> None:
    served = serve(paths=[], evals=ibidem.EvalIndex(EVALS, DOCUMENTS))
    client = Client(str(served.base_url).rstrip("/"))
    assert client.contamination([{"text": "rain"}, {"text": PAGE}])["contaminated"] == ["1"]
    assert served.get("/v1/indexes").json()["evals"] == {
        "items": 1,
        "recognized": ["evals: mmlu (question), 1 item"],
    }
    assert served.post("/v1/search", json={"text": PAGE}).status_code == 404
