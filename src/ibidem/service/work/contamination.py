"""The gate in front of training data: which items of evaluations documents hold."""

from typing import Any

from ibidem.contamination.judging import JudgedOccurrence
from ibidem.contamination.result import Origin, describe_occurrence
from ibidem.service.answers import Leaks, Occurrence
from ibidem.service.problems import ProblemError
from ibidem.service.requests import ContaminationRequest
from ibidem.service.work.holdings import Holdings
from ibidem.service.work.units import Positions
from ibidem.text import Document, Documents


def find_leaks(holdings: Holdings, request: ContaminationRequest) -> Leaks:
    """The leaks of some documents, and what in them is no leak, with the reason."""
    gate = holdings.evals
    if gate is None:
        raise ProblemError(404, "this service has no evals: start it with --evals")
    names = [each.id or str(number) for number, each in enumerate(request.documents)]
    texts = [each.text for each in request.documents]
    result = gate.judge(Documents.of([Document(*each) for each in zip(names, texts, strict=True)]), request.threshold)

    def describe(each: JudgedOccurrence) -> Occurrence:
        row: dict[str, Any] = describe_occurrence(
            gate.detector.described, each, Origin(None, None, names[each.document])
        )
        places = Positions(texts[each.document], request.unit)
        row |= {name: places.give(row[name]) for name in ("start", "end")}
        return Occurrence(**{name: row[name] for name in Occurrence.__struct_fields__})

    leaks = [each for each in result.judged if each.kind == "leak"]
    others = [each for each in result.judged if each.kind != "leak"]
    return Leaks(
        leaks=[describe(each) for each in leaks[: request.limit]],
        left_out=[describe(each) for each in others[: request.limit]],
        contaminated=list(dict.fromkeys(names[each.document] for each in leaks)),
        documents=len(names),
        tokens=result.tokens,
        total=len(leaks),
        total_left_out=len(others),
    )
