"""The gate in front of training data: which items of evaluations documents hold."""

from ibidem.contamination.result import describe_occurrence
from ibidem.text import Document, Documents
from ibidem.web.answers import Leaks
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.problems import ProblemError
from ibidem.web.requests import ContaminationRequest


def find_leaks(holdings: Holdings, request: ContaminationRequest) -> Leaks:
    """The leaks of some documents, and what in them is no leak, with the reason."""
    gate = holdings.evals
    if gate is None:
        raise ProblemError(404, "this service has no evals: start it with --evals")
    names = [occurrence.id or str(number) for number, occurrence in enumerate(request.documents)]
    texts = [occurrence.text for occurrence in request.documents]
    result = gate.judge(
        Documents.of([Document(*occurrence) for occurrence in zip(names, texts, strict=True)]), request.threshold
    )

    leaks = [occurrence for occurrence in result.occurrences if occurrence.kind == "leak"]
    others = [occurrence for occurrence in result.occurrences if occurrence.kind != "leak"]
    return Leaks(
        leaks=[describe_occurrence(gate.detector, occurrence) for occurrence in leaks[: request.limit]],
        left_out=[describe_occurrence(gate.detector, occurrence) for occurrence in others[: request.limit]],
        contaminated=list(dict.fromkeys(names[leak.occurrence.document.number] for leak in leaks)),
        documents=len(names),
        tokens=result.tokens,
        total=len(leaks),
        total_left_out=len(others),
    )
