"""This process works unless a cluster is asked for, whose tasks have one thread if nothing is said."""

import os
import sys
from types import SimpleNamespace

import pytest

from ibidem.engine import Here, open_engine


def test_this_process_has_as_many_threads_as_cores() -> None:
    with open_engine(memory="128M", is_durable=True) as engine:
        assert isinstance(engine, Here)
        assert engine.is_durable
        assert engine.resources[:2] == (128 << 20, len(os.sched_getaffinity(0)))


@pytest.mark.parametrize(("threads", "workers"), [(None, 1), (3, 3)])
def test_a_task_of_a_cluster_has_the_threads_that_are_asked_for(
    threads: int | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[bool] = []
    ray = SimpleNamespace(is_initialized=lambda: False, init=lambda **_: None, shutdown=lambda: left.append(True))
    monkeypatch.setitem(sys.modules, "ray", ray)
    with open_engine("local", threads=threads) as engine:
        assert engine.resources.workers == workers
        assert not left
    assert left == [True]


def test_a_memory_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="64M or more"), open_engine(memory="1M"):
        pass
