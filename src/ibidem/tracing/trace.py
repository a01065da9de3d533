"""``trace``: which passages of a collection the outputs of a model repeat, from where, and how much.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import warnings
from typing import TYPE_CHECKING, Annotated

from ibidem.options import Option

if TYPE_CHECKING:
    from ibidem.passages.index import PassageIndex
    from ibidem.text import Collection
    from ibidem.tracing.spans import Trace


def trace(
    outputs: "Collection",
    index: "PassageIndex",
    *,
    threshold: Annotated[float, Option("Least similarity of a span.")] = 0.5,
    min_pair_length: Annotated[int, Option("Least tokens of the longer of a span and its source.", "N")] = 10,
    verbatim: Annotated[int, Option("Words in a row that count as extractable.", "K")] = 50,
    expect: Annotated[float, Option("Spans that chance may give in an output and a document.", "E", most=None)] = 0.1,
    limit: Annotated[int, Option("The most sources of a span; all are counted.", "N")] = 10,
    text: str = "text",
    id: str = "id",
    threads: int | None = None,
) -> "Trace":
    """The passages of ``outputs`` that documents of ``index`` hold, with their sources, and the rate of memorisation.

    A passage is found as by :meth:`PassageIndex.align`: words may be changed, left out or inserted, as long as chance
    does not explain what is left. Besides, the longest run of words that an output and a document have in common is
    exact: a run of ``verbatim`` words or more is always a span, whatever its words.

    Args:
        outputs: a table, or an iterable of ``Document``s, strings, (id, text) pairs or mappings.
        index: an exact index of the training data, or of a sample of it.
        threshold: least similarity of a near-verbatim passage, above 0 and at most 1.
        min_pair_length: least tokens of the longer of a passage and its source.
        verbatim: least tokens in a row of what counts as extractable.
        expect: how many passages chance may give in an output and a document.
        limit: the most sources of a span that are given; all are counted.
        text, id: the columns of a table, or the keys of mappings.
        threads: as many as the machine has cores if not given. The result does not depend on it.

    Warns:
        UserWarning: all outputs are too short for a span, or the index holds no token.

    Raises:
        ConfigurationError: the index is not an exact one.
        ValueError: an argument is out of its range.

    >>> import ibidem, tempfile
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye could frame"
    >>> index = ibidem.PassageIndex.build(tempfile.mkdtemp() + "/index", [("blake", verse)])
    >>> found = trace(["So: Tyger, tyger, burning bright, in the jungles of the night, what immortal hand!"], index)
    >>> [(span.text, span.longest_run, span.sources[0].document) for span in found]
    [('Tyger, tyger, burning bright, in the jungles of the night, what immortal hand', 0, 'blake')]
    """
    from ibidem.parallel import in_threads
    from ibidem.text import as_documents
    from ibidem.tracing.spans import Trace
    from ibidem.tracing.tracer import Tracer

    tracer = Tracer(
        index,
        threshold=threshold,
        min_pair_length=min_pair_length,
        verbatim=verbatim,
        expect=expect,
        limit=limit,
    )
    traced = in_threads(tracer.trace_output, as_documents(outputs, text, id), threads)
    result = Trace(traced, verbatim=verbatim, threshold=threshold)
    if result.outputs and not index.info()["tokens"]:
        warnings.warn("this index holds no token, so nothing can be found in it", stacklevel=2)
        return result
    longest = max((output.amount.words for output in result.outputs), default=0)
    if result.outputs and not len(result) and longest < min(min_pair_length, verbatim):
        warnings.warn(
            f"no output is long enough: the longest has {longest:,} tokens, and a span has {min_pair_length:,} "
            f"(min_pair_length), or {verbatim:,} in a row (verbatim)",
            stacklevel=2,
        )
    return result
