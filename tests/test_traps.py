"""An argument does what it says or is refused; none is ignored, and one name means the same in every call."""

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import ibidem
from ibidem import Document, DocumentFrequencies, DocumentIndex, PassageIndex
from ibidem.cli import main
from ibidem.web import requests

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    return PassageIndex.build(tmp_path_factory.mktemp("traps") / "index", [("blake", VERSE)], min_length=4)


@pytest.mark.parametrize("chosen", [{"searchers": 2}, {"allow_partial": True}])
def test_options_of_searchers_are_refused_without_a_cluster(index: PassageIndex, chosen: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(chosen))} is for searchers on a Ray cluster"):
        PassageIndex.open(index.path, **chosen)


@pytest.mark.parametrize("kind", [PassageIndex, DocumentIndex])
def test_an_unknown_way_to_compare_checksums_is_refused(index: PassageIndex, kind: Any) -> None:
    with pytest.raises(ValueError, match="checksums is one of lazy, full, none, not 'fully'"):
        kind.open(index.path, checksums="fully")


def test_searchers_compare_checksums_as_they_are_asked_to(index: PassageIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class NoSearchersError(Exception):
        pass

    def start(*arguments: Any, **options: Any) -> None:
        asked.append(options)
        raise NoSearchersError

    monkeypatch.setattr("ibidem.passages.searchers.start_searchers", start)
    with pytest.raises(NoSearchersError):
        PassageIndex.open(index.path, ray="local", checksums="full")
    assert asked == [{"searchers": None, "allow_partial": False, "checksums": "full"}]


def test_matches_beyond_the_limit_are_counted_where_a_count_is_returned(index: PassageIndex) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'count_all'"):
        index.search_many([VERSE], count_all=True)
    assert index.explain(VERSE, count_all=True, select="all", limit=1)[1].passages > 1


@pytest.mark.parametrize("weights", [{"tf": "binary"}, {"idf": "smooth"}])
def test_weights_choose_the_weighted_family_in_a_build_and_in_a_search(
    index: PassageIndex, tmp_path: Path, weights: dict[str, Any]
) -> None:
    with PassageIndex.build(tmp_path / "index", [("blake", VERSE)], min_length=4, **weights) as weighted:
        assert weighted.configuration.family == "weighted"
        assert weighted.search(VERSE) == index.search(VERSE, **weights)
    calls: list[Callable[..., Any]] = [
        lambda **choices: PassageIndex.build(tmp_path / "other", [VERSE], **choices),
        lambda **choices: index.search(VERSE, **choices),
        index.weighting,
    ]
    for call in calls:
        with pytest.raises(ValueError, match="tf and idf are weights of the family 'weighted', not of 'multiset'"):
            call(family="multiset", **weights)


@pytest.mark.parametrize(("family", "same", "other"), [("set", "binary", "raw"), ("multiset", "raw", "binary")])
def test_a_family_may_be_said_twice_and_not_be_contradicted(
    index: PassageIndex, tmp_path: Path, family: Any, same: Any, other: Any
) -> None:
    (tmp_path / "verse.txt").write_text(VERSE, "utf-8")
    verse = str(tmp_path / "verse.txt")

    def build(name: str = "twice", **choices: Any) -> Any:
        with PassageIndex.build(tmp_path / name, [("blake", VERSE)], min_length=4, **choices) as made:
            return made.configuration

    def run(*arguments: str) -> Callable[..., str]:
        def call(**choices: Any) -> str:
            options = [word for name, value in choices.items() for word in (f"--{name}", value)]
            result = CliRunner().invoke(main, [*arguments, *options])
            if result.exit_code:
                raise ValueError(result.stderr)
            return result.stdout

        return call

    calls: list[Callable[..., Any]] = [
        lambda **choices: ibidem.align(VERSE, VERSE, min_pair_length=4, **choices),
        lambda **choices: index.search(VERSE, **choices),
        index.weighting,
        ibidem.Weighting.of,
        run("search", str(index.path), verse),
    ]
    for call in calls:
        assert call(family=family, tf=same, idf="unary") == call(family=family)
        with pytest.raises(ValueError, match=f"weights of the family 'weighted', not of '{family}'"):
            call(family=family, tf=other)
    assert build(family=family, tf=same) == build("once", family=family)
    with pytest.raises(ValueError, match=f"weights of the family 'weighted', not of '{family}'"):
        build("never", family=family, tf=other)


@pytest.mark.parametrize("choices", [{"family": "set"}, {"family": "multiset"}, {"idf": "unary"}])
def test_frequencies_that_no_weight_depends_on_are_refused(choices: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="frequencies are behind an idf of the family 'weighted'"):
        ibidem.align(VERSE, VERSE, frequencies=DocumentFrequencies([1], [1], 1), **choices)


def test_the_measure_of_two_sequences_is_named_as_everywhere() -> None:
    assert ibidem.jaccard("aab", "ab", family="multiset") == pytest.approx(2 / 3)
    assert ibidem.containment("aab", "ab", family="set") == 1


def test_queries_are_strings_or_documents_in_both_kinds_of_index(index: PassageIndex, tmp_path: Path) -> None:
    queries = [VERSE, Document("query", VERSE)]
    with DocumentIndex.build(tmp_path / "documents", [("blake", VERSE)]) as documents:
        for each in (index, documents):
            first, second = each.search_many(iter(queries))
            assert [match.document for match in first] == [match.document for match in second] == ["blake"]


ROWS = [{"verse": VERSE, "title": "blake"}, {"verse": f"He wrote: {VERSE}!", "title": "letter"}]


def test_every_call_that_reads_a_collection_takes_the_names_of_its_columns(tmp_path: Path) -> None:
    columns = {"text": "verse", "id": "title"}
    found = ibidem.find_reuse(ROWS, min_pair_length=8, **columns)
    assert found.pairs.select(["a", "b"]).to_pylist() == [{"a": "blake", "b": "letter"}]
    against = ibidem.find_reuse(ROWS[:1], against=ROWS[1:], min_pair_length=8, **columns)
    assert against.pairs.select(["a", "b"]).to_pylist() == [{"a": "blake", "b": "letter"}]
    assert [each.document for each in ibidem.deduplicate_passages(ROWS, min_length=8, **columns).removed] == ["letter"]
    assert ibidem.deduplicate(ROWS, threshold=0.5, **columns).removed == ["letter"]
    with DocumentIndex.build(tmp_path / "documents", ROWS, **columns) as documents:
        assert documents.ids() == {"blake", "letter"}
        first, _ = documents.search_many(ROWS, **columns)
        assert first[0].document == "blake"
    with PassageIndex.build(tmp_path / "passages", ROWS, **columns) as passages:
        assert [found.query_name for found, *_ in passages.search_many(ROWS, **columns)] == ["blake", "letter"]
        assert {span.output for span in ibidem.trace(ROWS, passages, **columns)} == {"blake", "letter"}


def test_shingles_are_asked_for_in_the_name_of_a_tokenizer() -> None:
    message = r"the tokenizer 'words' cannot be made: it got an unexpected keyword argument 'shingle'; .*'words:3'"
    with pytest.raises(ValueError, match=message):
        ibidem.make_tokenizer("words", shingle=3)


def test_a_request_of_the_service_has_the_defaults_of_the_call() -> None:
    for request, function in (
        (requests.SearchRequest, PassageIndex.search),
        (requests.AlignRequest, PassageIndex.align),
        (requests.ContaminationRequest, ibidem.find_contamination),
    ):
        arguments = inspect.signature(function).parameters
        shared = {each.name: each.default for each in msgspec.structs.fields(request)}
        same = shared.keys() & arguments.keys() - {
            "text",
            "id",
            "index",
            "limit",
            "ignore",
        }  # a page has a limit of its own
        assert "threshold" in same
        assert {name: shared[name] for name in same} == {name: arguments[name].default for name in same}


def test_summaries_are_reported_by_default_whatever_a_text_is_aligned_with() -> None:
    defaults = [
        inspect.signature(function).parameters["summaries"].default for function in (ibidem.align, PassageIndex.align)
    ]
    assert defaults == [True, True]


DEFAULTS = (Path(__file__).resolve().parent.parent / "docs" / "guide" / "defaults.md").read_text("utf-8")


def list_defaults() -> dict[tuple[str, str], Any]:
    """The defaults that the guide's table names, by call and argument."""
    defaults: dict[tuple[str, str], Any] = {}
    for line in DEFAULTS.splitlines():
        if line.startswith("| `"):
            arguments, calls, default, _ = (re.findall("`([^`]+)`", cell) for cell in line.split("|")[1:5])
            for call in calls:
                for argument in arguments:
                    assert (call, argument) not in defaults
                    defaults[call, argument] = ast.literal_eval(default[0])
    return defaults


def test_the_defaults_of_the_guide_are_those_of_the_calls() -> None:
    for (call, argument), default in list_defaults().items():
        function: Any = ibidem
        for name in call.split("."):
            function = getattr(function, name)
        assert inspect.signature(function).parameters[argument].default == default, (call, argument)
