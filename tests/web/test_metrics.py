"""The numbers about a service count every answer, in the format that Prometheus reads."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ibidem.web.metrics import Metrics

from .conftest import Serve
from .samples import PASSAGE


def test_the_numbers_count_what_was_answered(serve: Serve) -> None:
    client = serve()
    client.post("/v1/search", json={"text": PASSAGE})
    client.post("/v1/search", json={})
    numbers = client.get("/metrics").text
    assert 'ibidem_answers_total{operation="search",status="200"} 1' in numbers
    assert 'ibidem_answers_total{operation="search",status="400"} 1' in numbers
    assert 'ibidem_answer_seconds_count{operation="search"} 2' in numbers
    kinds = [line.split()[2] for line in numbers.splitlines() if line.startswith("# TYPE")]
    assert kinds == [line.split()[2] for line in numbers.splitlines() if line.startswith("# HELP")]


def value_of(text: str, name: str) -> float:
    """The number of a line."""
    [line] = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.removeprefix(f"{name} "))


@given(st.lists(st.tuples(st.sampled_from(["align", "search"]), st.sampled_from([200, 400]), st.floats(0, 60))))
def test_each_class_counts_the_answers_that_took_no_longer_than_its_bound(told: list[tuple[str, int, float]]) -> None:
    metrics = Metrics()
    for operation, status, seconds in told:
        metrics.count(operation, status, seconds)
    text = metrics.text()
    for (operation, status), count in Counter(each[:2] for each in told).items():
        assert value_of(text, f'ibidem_answers_total{{operation="{operation}",status="{status}"}}') == count
    for operation in {each[0] for each in told}:
        took = [seconds for name, _, seconds in told if name == operation]
        for bound in ("0.005", "0.1", "1.0", "30.0", "+Inf"):
            found = value_of(text, f'ibidem_answer_seconds_bucket{{operation="{operation}",le="{bound}"}}')
            assert found == sum(seconds <= float(bound) for seconds in took)
        assert abs(value_of(text, f'ibidem_answer_seconds_sum{{operation="{operation}"}}') - sum(took)) < 1e-5
