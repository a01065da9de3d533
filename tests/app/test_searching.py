"""Searches of answers."""

from ibidem.app.projects import Project
from ibidem.app.searching import Searches
from ibidem.service.limits import Limits
from ibidem.service.requests import SearchRequest

from .conftest import answer_here
from .samples import COPIED


def test_indexes_stay_open_and_the_oldest_is_closed(school: Project) -> None:
    run = answer_here(school, "search")
    searches = Searches(Limits())
    for name in "abcdeab":
        found = searches.search(name, run.answer, SearchRequest(text=COPIED[:150], context=10))
        assert {match.document for match in found.matches} == {"class/essay5.txt", "class/sources/book1.txt"}
    searches.forget("never")
    searches.close()
