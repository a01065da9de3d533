"""The application of ``ibidem serve``."""

from collections.abc import Sequence

from starlette.applications import Starlette

from ibidem.contamination.eval_index import EvalIndex
from ibidem.web.access import Access
from ibidem.web.application import Application
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.limits import Limits


def make_app(
    indexes: Sequence[ServedIndex],
    *,
    evals: EvalIndex | None = None,
    access: Access = Access(),  # noqa: B008
    limits: Limits = Limits(),  # noqa: B008
) -> Starlette:
    """The ASGI application that serves ``indexes``, and a gate with ``evals``.

    Raises:
        ValueError: two indexes have the same name.
    """
    by_name = {index.name: index for index in indexes}
    if len(by_name) != len(indexes):
        raise ValueError("two indexes that are served have the same name: rename one")
    return Application(OPERATIONS, Holdings(by_name, limits, evals), "indexes", access=access, limits=limits).app
