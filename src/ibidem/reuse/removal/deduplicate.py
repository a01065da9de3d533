"""``deduplicate_passages``: which passages of a collection repeat others, and what texts are without them."""

import tempfile
from pathlib import Path

from ibidem.alignment.ignored import list_texts
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import DeduplicatePassages, PassageDedupOptions, takes, values_of
from ibidem.resources import Resources
from ibidem.reuse.removal.repeated import PassageChoices, PassageDeduplication
from ibidem.reuse.removal.stages import FIND, READ, PassageJob
from ibidem.text import as_batches


@takes(DeduplicatePassages)
def deduplicate_passages(call: DeduplicatePassages) -> PassageDeduplication:
    """Find the passages that occur in an earlier document, or earlier in their own, and so can go.

    Of two near-duplicate passages, the one in the document that ``keep`` puts first stays; within one document, the
    earlier one. Each passage that goes is similar, by ``threshold``, to a passage that stays whole. Similarity is the
    weighted Jaccard similarity of the tokens, which weigh by how rare they are in the collection. Text that merely lies
    between two duplicates stays.

    Args:
        documents, text, id: as in :func:`ibidem.deduplicate`.
        threshold: the least similarity, above 0 and at most 1.
        min_length: the least length of a passage that goes, in tokens.
        keep: as in :func:`ibidem.deduplicate`: ``"first"``, ``"longest"``, or an expression over columns.
        boundary: ``"words"``, or ``"lines"`` to cut whole lines alone.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        ignore: texts that may occur anywhere, such as a licence; a collection as ``documents``. Passages that are
            similar to one of them stay, and are listed in ``ignored``.
        recall: the probability, on the average over the windows of the documents, that two windows of
            ``min(min_length, 32)`` tokens that are similar by ``(1 + threshold) / 2`` are compared.
        seed: names the hash functions.
        memory: about how much memory to use, such as ``"1G"``, besides the result.
        threads: as many as the machine has cores if not given.
        folder: where to keep temporary files; the system's folder for these if not given.
        progress: called with what is being done, how much of it is done, and the whole.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, two have one id, or no document has a column that ``keep`` names.

    >>> licence = "you may copy this text and give it to anybody who wants to read it as long as this notice stays"
    >>> texts = [("a", f"A poem. {licence}"), ("b", f"A tale: {licence}!")]
    >>> found = deduplicate_passages(texts, min_length=12)
    >>> [(each.document, each.duplicate_of, each.similarity) for each in found.removed]
    [('b', 'a', 1.0)]
    >>> [found.edit(*each) for each in texts][1]
    'A tale: '
    """
    ignore = list_texts(call.ignore, call.text, call.id)
    choices = PassageChoices(**values_of(call, PassageDedupOptions) | {"ignore": ignore}).require_valid()
    resources = Resources.of(call.memory, call.threads, call.progress)
    with tempfile.TemporaryDirectory(prefix="ibidem-", dir=call.folder) as place:
        workspace = Memory(PassageJob(choices, as_batches(call.documents, call.text, call.id)))
        run_here([READ, FIND], workspace, Path(place), resources)
        result: PassageDeduplication = workspace.load(FIND)
    return result
