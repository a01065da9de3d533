"""One thread at a time has the turn, the others have it in their order, and nobody waits for ever."""

import threading
from collections.abc import Iterator

import pytest

from ibidem import PassageIndex
from ibidem.passages.query import turns as module
from ibidem.passages.query.turns import TURNS, Turn, Turns


@pytest.fixture(autouse=True)
def _wait_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread keeps its turn, unless the test says so, and none takes that of another, however slow the machine."""
    monkeypatch.setattr(module, "_LONGEST_WAIT", 3600.0)
    monkeypatch.setattr(module, "_SOON", 0.0)


@pytest.fixture
def turns() -> Turns:
    return Turns()


def wait_until_waiting(turns: Turns, threads: int) -> None:
    while len(turns._waiting) < threads:
        pass


@pytest.fixture
def line(turns: Turns) -> Iterator[tuple[Turn, list[int]]]:
    """The turn of this thread, and which of three that wait in line have had theirs."""
    served: list[int] = []

    def work(number: int) -> None:
        with turns.take():
            served.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    with turns.take() as turn:
        for number, thread in enumerate(threads):
            thread.start()
            wait_until_waiting(turns, number + 1)
        yield turn, served
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2]
    assert (turns.threads, turns._holder) == (0, None)


def test_threads_have_the_turn_in_the_order_in_which_they_came(line: tuple[Turn, list[int]]) -> None:
    assert line[1] == []


def test_a_thread_that_leaves_its_turn_has_it_again_after_the_others(line: tuple[Turn, list[int]]) -> None:
    turn, served = line
    turn.leave()
    turn.leave()
    turn.take()
    assert served == [0, 1, 2]


def test_the_turn_can_be_taken_twice_and_left_once(turns: Turns) -> None:
    with turns.take() as turn:
        turn.take()
        turn.leave()
        assert turns._holder is None


def test_a_thread_that_waited_long_enough_takes_the_turn_of_another(turns: Turns) -> None:
    lost = Turn(turns)
    lost.take()
    with turns.take(timeout=0.0) as turn:
        assert turns._holder is turn
        lost.leave()
        assert turns._holder is turn
    assert turns._holder is None


def test_a_thread_that_searches_again_and_again_keeps_its_turn_for_a_slice(
    turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SOON", 3600.0)
    monkeypatch.setattr(module, "_SLICE", 3600.0)
    served: list[str] = []

    def work() -> None:
        with turns.take():
            served.append("other")

    other = threading.Thread(target=work)
    work_once(turns)
    with turns.take():
        other.start()
        wait_until_waiting(turns, 1)
    with turns.take():
        served.append("again")
        monkeypatch.setattr(module, "_SLICE", 0.0)
    other.join()
    assert served == ["again", "other"]


def test_a_turn_that_was_kept_in_vain_is_taken_by_the_next(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SOON", 3600.0)
    other = threading.Thread(target=work_once, args=(turns,))
    work_once(turns)
    with turns.take():
        other.start()
        wait_until_waiting(turns, 1)
    other.join()
    assert (turns.threads, turns._holder) == (0, None)


def work_once(turns: Turns) -> None:
    with turns.take():
        pass


def test_an_interrupt_while_waiting_leaves_the_line(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def acquire(self, timeout: float | None = None) -> None:
            if timeout is not None:
                raise KeyboardInterrupt

    first = Turn(turns)
    first.take()
    with monkeypatch.context() as patch:
        patch.setattr(module.threading, "Lock", Interrupted)
        with pytest.raises(KeyboardInterrupt), turns.take():
            pass
    assert not turns._waiting
    with turns.take() as turn:
        assert turns._holder is turn


def test_a_thread_knows_whether_others_search(turns: Turns) -> None:
    assert Turn().is_alone
    with turns.take() as turn:
        assert turn.is_alone
        turn.leave()
        with turns.take():
            assert not turn.is_alone
        assert turn.is_alone


def test_a_process_that_was_forked_waits_for_no_thread_of_its_parent(turns: Turns) -> None:
    turns._guard.acquire()
    turns.threads, turns._holder = 2, Turn(turns)
    module._forget_turns()
    with turns.take() as turn:
        assert turn.is_alone


@pytest.mark.parametrize("threshold", [0.9, 0.3])
def test_a_search_gives_its_turn_back(tmp_path, threshold: float) -> None:
    words = [f"w{number % 97}" for number in range(4000)]
    with PassageIndex.build(tmp_path / "index", [" ".join(words)]) as index:
        assert index.search(" ".join(words[:60]), threshold=threshold)
        with pytest.raises(ValueError, match="no token"):
            index.search("...", threshold=threshold)
        assert index.search_many([" ".join(words[first : first + 60]) for first in range(50)], threads=3)
    assert (TURNS.threads, TURNS._holder) == (0, None)
