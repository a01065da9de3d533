"""Searches in the index of an answer."""

from pathlib import Path

from ibidem.web.answers import Matches
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.searches import search
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.limits import Limits
from ibidem.web.requests import SearchRequest


def search_answer(answer: Path, request: SearchRequest, limits: Limits) -> Matches:
    """Answer like ``POST /v1/search`` of the service, from the index of an answer."""
    index = ServedIndex(answer / "texts.ibidem")
    try:
        return search(Holdings({index.name: index}, {}, TaskQueue(0), limits), request)
    finally:
        index.close()
