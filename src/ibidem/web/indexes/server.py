"""The application of ``ibidem serve``."""

from collections.abc import Sequence

from starlette.applications import Starlette

from ibidem.contamination.eval_index import EvalIndex
from ibidem.web.access import Access
from ibidem.web.application import Application
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.served_reuse import ServedReuse
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.limits import Limits


def make_app(
    indexes: Sequence[ServedIndex],
    *,
    reuse: Sequence[ServedReuse] = (),
    evals: EvalIndex | None = None,
    access: Access = Access(),  # noqa: B008
    limits: Limits = Limits(),  # noqa: B008
) -> Starlette:
    """The ASGI application that serves ``indexes``, the findings of ``ibidem reuse``, and a gate with ``evals``.

    Raises:
        ValueError: two have the same name.
    """
    by_name = {entry.name: entry for entry in indexes}, {entry.name: entry for entry in reuse}
    if (len(by_name[0]), len(by_name[1])) != (len(indexes), len(reuse)):
        raise ValueError("two folders that are served have the same name: rename one")
    holdings = Holdings(*by_name, TaskQueue(limits.tasks), limits, evals)
    return Application(OPERATIONS, holdings, "indexes", access=access, limits=limits, end=holdings.tasks.close).app
