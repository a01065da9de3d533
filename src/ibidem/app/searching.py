"""Searches in the index of an answer."""

from pathlib import Path

from ibidem.service.answers import Matches
from ibidem.service.limits import Limits
from ibidem.service.requests import SearchRequest
from ibidem.service.served_index import ServedIndex
from ibidem.service.tasks import TaskQueue
from ibidem.service.work.holdings import Holdings
from ibidem.service.work.searches import search


def search_answer(answer: Path, request: SearchRequest, limits: Limits) -> Matches:
    """Answer like ``POST /v1/search`` of the service, from the index of an answer."""
    index = ServedIndex(answer / "texts.ibidem")
    try:
        return search(Holdings({index.name: index}, {}, TaskQueue(0), limits), request)
    finally:
        index.close()
