"""The record of a search: the time of each step, summed up."""

from types import SimpleNamespace

import pytest

from ibidem.passages.query import statistics
from ibidem.passages.query.statistics import SearchStatistics


def test_the_times_of_a_step_add_up_even_if_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1.0, 3.0, 10.0, 10.5, 20.0, 27.0])
    monkeypatch.setattr(statistics, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    record = SearchStatistics()
    with record.step("sweep"):
        pass
    with record.step("sweep"):
        pass
    with pytest.raises(KeyError), record.step("matches"):
        raise KeyError
    assert record.seconds == {"sweep": 2.5, "matches": 7.0}


def test_records_share_no_times() -> None:
    first, second = SearchStatistics(), SearchStatistics()
    with first.step("query"):
        pass
    assert list(first.seconds) == ["query"]
    assert second.seconds == {}
