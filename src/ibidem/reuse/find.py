"""``find_reuse``: the passages that occur more than once in a collection, from texts to tables."""

import dataclasses
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ibidem.alignment.ignored import list_texts
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import FindReuse, ReuseOptions, takes, values_of
from ibidem.resources import Resources
from ibidem.reuse.job.stages import ALIGN, BOXES, COLLECT, GATHER, JOIN, READ, ReuseJob
from ibidem.reuse.outputs.earlier import EarlierRun
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.question import Question
from ibidem.text import Collection as AnyCollection
from ibidem.text import as_batches


@takes(FindReuse)
def find_reuse(call: FindReuse) -> Reuse:
    """Find the passages of ``documents`` that also occur in another of these documents.

    A word has a greater weight the rarer it is in the collection. Each reported pair of passages has an exact
    similarity of ``threshold`` or more under these weights, or as a summary a containment of ``threshold`` or more, and
    as much evidence against chance as :func:`ibidem.align` asks for.

    The search looks for similar windows of ``w = min(min_pair_length, 32)`` tokens. It finds two windows with a
    similarity of ``(1 + threshold) / 2`` or more with a probability of ``recall``, on the average over the windows of
    the collection, and reports the pair of passages that they lead to, if that meets the conditions above. Two less
    similar passages are more likely to be found the longer they are.

    Text that many documents share, such as a licence, counts as absent: it is found first, and what two documents share
    besides is compared as if it were not there. It is reported once, as a cluster of boilerplate, and each of its
    places beside a representative. The same holds for what occurs in more than 256 documents.

    Args:
        documents: an iterable of documents, as in :func:`ibidem.deduplicate`.
        against: other documents. If given, each of ``documents`` is compared with each of these, and with nothing else.
            In each pair, ``a`` is then one of ``documents`` and ``b`` one of these.
        text, id: the columns or keys of both that hold the text and the id, as in :func:`ibidem.deduplicate`.
        threshold: the least similarity, above 0 and at most 1.
        min_pair_length: the least length of the longer passage of a pair, in tokens. If not given, 40, or just over a
            quarter of the shorter document of the pair if that is less.
        recall: see above. With 1 the search is exact: it misses no windows that ``align`` would start from, and aligns
            their documents as it does. Use this for small collections.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        within: also report passages that occur twice in one document.
        date: the column of dates, which are numbers or ISO strings. If given, passages get a likely source.
        series: a column. Documents with the same value in it, such as one newspaper, are not compared.
        phrases: these phrases count as absent wherever they occur.
        ignore: texts that everybody has, such as a sheet or a licence; a collection as ``documents``. Passages that are
            similar to one of them count as absent, and are listed in ``left_out``.
        keep_boilerplate: report each place of frequent text, beside its representative, with the rest.
        quotations: in shares, words in quotation marks count as quoted alone, neither as shared nor as words of the
            document, if one quotation has so many words or more.
        texts: put the texts of passages into the tables.
        columns: columns of the documents that each pair carries for both, as ``a_year`` and ``b_year``.
        seed: selects the hash functions.
        memory: about how many bytes to use, besides those of the result.
        threads: how many threads to use; if not given, one for each core.
        folder: where to keep temporary files; the system's folder for these if not given.
        progress: called with the name of the current step, how much of it is done, and the total if known.
        update: the folder of an earlier run of ``ibidem reuse`` on a part of these documents. Documents of that run
            whose text and columns are unchanged are not compared with each other again. Words weigh as in that run.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, two documents have the same id, or ``update`` holds no run.
        ConfigurationError: the run to be updated was made with other settings.

    >>> poem = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
    >>> found = find_reuse([("gray", poem), ("letter", "He quoted: " + poem + "!"), ("other", "nothing of the kind")])
    >>> found.pairs.select(["a", "b", "similarity"]).to_pylist()
    [{'a': 'gray', 'b': 'letter', 'similarity': 1.0}]
    """
    ignore = list_texts(call.ignore, call.text, call.id)
    question = Question(**values_of(call, ReuseOptions) | {"ignore": ignore}).require_valid()
    resources = Resources.of(call.memory, call.threads, call.progress)
    sides = [as_batches(side, call.text, call.id) for side in (call.documents, call.against) if side is not None]
    earlier = None if call.update is None else EarlierRun.read(Path(call.update))
    with tempfile.TemporaryDirectory(prefix="ibidem-reuse-", dir=call.folder) as place:
        reuse = find_in(sides, question, Path(place), resources, earlier)
        return dataclasses.replace(reuse, collection=None)  # its files are about to be deleted


def find_in(
    sides: Sequence[AnyCollection],
    question: Question,
    folder: Path,
    resources: Resources,
    earlier: EarlierRun | None = None,
) -> Reuse:
    """The result for one collection, or for two that are compared with each other.

    ``folder`` takes the columns of the collection, which the result still reads. An ``earlier`` run on a part of the
    collection, of which there must be only one then, saves comparing the documents of that part again.
    """
    workspace = Memory(ReuseJob(sides, question, earlier))
    run_here([READ, COLLECT, JOIN, BOXES, ALIGN, GATHER], workspace, folder, resources)
    result: Reuse = workspace.load(GATHER)
    return result
