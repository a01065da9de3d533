"""Adding and removing documents, as tasks: the answer names the task, and later requests ask for its state."""

from functools import partial

from ibidem import Document
from ibidem.counts import format_count
from ibidem.passages.index import PassageIndex
from ibidem.web.answers import Task, Tasks
from ibidem.web.indexes.cursors import cut_page
from ibidem.web.indexes.holdings import Holdings, choose_index
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.problems import ProblemError
from ibidem.web.requests import AddRequest, RemoveRequest, TaskRequest, TasksRequest

_MEMORY = "1G"
"""The limits of an addition."""


def add(holdings: Holdings, request: AddRequest) -> Task:
    """Have documents added."""
    served_index = choose_index(holdings, request.index)
    documents = [Document(document.id, document.text, document.metadata) for document in request.documents]
    return holdings.tasks.put("add", served_index.name, len(documents), partial(_add, served_index, documents))


def remove(holdings: Holdings, request: RemoveRequest) -> Task:
    """Have documents removed."""
    served_index = choose_index(holdings, request.index)
    return holdings.tasks.put(
        "remove", served_index.name, len(request.ids), partial(_remove, served_index, list(request.ids))
    )


def list_tasks(holdings: Holdings, request: TasksRequest) -> Tasks:
    """The tasks that are known."""
    tasks, number_added = holdings.tasks.list()
    page = cut_page(request.cursor, request.limit, len(tasks), number_added)
    return Tasks(tasks=tasks[page.first : page.last], total=len(tasks), cursor=page.cursor)


def read_task(holdings: Holdings, request: TaskRequest) -> Task:
    """One task."""
    task = holdings.tasks.get(request.task)
    if task is None:
        raise ProblemError(404, f"no task is called {request.task!r}; a service that was started again has none")
    return task


def _add(served_index: ServedIndex, documents: list[Document]) -> str:
    with PassageIndex.open(served_index.path) as index:
        report = index.add(documents, memory=_MEMORY)
    tokens = format_count(report.tokens, "token")
    return f"{format_count(report.documents, 'document')} with {tokens} {_were(report.documents)} added"


def _remove(served_index: ServedIndex, ids: list[str]) -> str:
    with PassageIndex.open(served_index.path) as index:
        number = len(index.remove(ids))
    return f"{format_count(number, 'document')} {_were(number)} removed"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
