"""One output traced at a time."""

import random
from pathlib import Path

from ibidem import Document, PassageIndex, trace
from ibidem.options import list_defaults
from ibidem.tracing.tracer import Tracer


def make_tracer(index: PassageIndex, **settings: float) -> Tracer:
    names = ("threshold", "min_pair_length", "verbatim", "expect", "limit")
    defaults = list_defaults(trace)
    return Tracer(index, **{name: defaults[name] for name in names} | settings)


def test_a_long_run_is_a_span_though_chance_would_explain_its_words(tmp_path: Path) -> None:
    """Nearly all of the collection is two words, which tell nothing."""
    drawn = random.Random(1)
    texts = [" ".join(drawn.choices(["ja", "nein"], k=2000)) for _ in range(4)]
    with PassageIndex.build(tmp_path / "index", texts) as index:
        run = " ".join(texts[2].split()[300:360])
        output = Document("story", f"so {run} so")
        assert not index.align(output.text, min_pair_length=10, threshold=0.5)
        (span,) = make_tracer(index).trace_output(output).spans
        assert span.expected is None
        assert (span.text, span.longest_run, span.similarity) == (run, 60, 1.0)
        assert [(each.document, each.text) for each in span.sources] == [("2", run)]
        assert span.documents == 1
        assert not make_tracer(index, verbatim=61).trace_output(output).spans
