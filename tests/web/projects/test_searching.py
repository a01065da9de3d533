"""Searches of answers."""

from ibidem.web.limits import Limits
from ibidem.web.projects.projects import Project
from ibidem.web.projects.searching import search_answer
from ibidem.web.requests import SearchRequest

from .conftest import answer_here
from .samples import COPIED


def test_the_index_of_an_answer_is_searched_and_closed_again(school: Project) -> None:
    run = answer_here(school, "search")
    for _ in range(2):
        found = search_answer(run.answer, SearchRequest(text=COPIED[:150], context=10), Limits())
        assert {match.document for match in found.matches} == {"class/essay5.txt", "class/sources/book1.txt"}
