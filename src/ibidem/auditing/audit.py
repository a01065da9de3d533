"""``audit``: how much of some evals decontamination would miss in some training data, measured on planted items.

Items are planted into a sample of the training data, each once in a round, so that an item is as rare as if it had
leaked once, or in as many documents as its form says. Every round is the job of :func:`ibidem.find_contamination`.
Items that the sample holds already are found first, and documents that hold any are no hosts.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import random
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated

from ibidem.arguments import require_fraction
from ibidem.contamination.items import THRESHOLD, EvalColumns
from ibidem.errors import CorpusError
from ibidem.options import Option
from ibidem.resources import as_tell

if TYPE_CHECKING:
    from ibidem.auditing.result import Audit, Outcome
    from ibidem.contamination.evals import AnyEvals
    from ibidem.resources import Progress
    from ibidem.text import Collection, Normalize, TokenizerSpec

_HELD = 0.5
"""A document of the sample that holds so much of an item is no host."""


def audit(
    train: "Collection",
    evals: "AnyEvals",
    *,
    question: str | None = None,
    answer: str | None = None,
    passage: str | None = None,
    choices: str | None = None,
    threshold: float = THRESHOLD,
    tokenizer: "TokenizerSpec" = "words",
    normalize: "Normalize" = (),
    target: Annotated[float, Option("With --audit, the recall for which a threshold is given.")] = 0.95,
    sample: Annotated[int, Option("With --audit, the documents to draw.", "N")] = 2000,
    plants: Annotated[int, Option("With --audit, about how many plants of each kind.", "N")] = 50,
    seed: Annotated[int, Option("With --audit, the seed of the draws.", "N", least=0)] = 0,
    text: str = "text",
    id: str = "id",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
) -> "Audit":
    """Measure what :func:`ibidem.find_contamination` finds of items of ``evals`` that are planted into ``train``.

    Each item is planted with its question and correct answer: verbatim, wrapped anew, in documents of 50 to 5,000
    words, with 10 to 40 % of its words replaced, its sentences in another order, its question or answer alone, and as a
    machine misreads it. It is also planted into 12 documents, of one source or of 12, whole, with words replaced, or as
    a piece, and beside documents with other numbers; then it counts as found if it is found in each. Three more forms
    are no leaks: its passage alone, which is to be listed as a source, and its question with other numbers, once and in
    12 documents.

    Args:
        train: the training data; they are read once, and ``sample`` documents drawn from them, all as likely.
        evals, question, answer, passage, choices, tokenizer, normalize: as of ``find_contamination``.
        threshold: that at which leaks are counted.
        target: the recall for which a threshold is looked for.
        plants: about how many plants of each kind.
        seed: names the draws; the same seed gives the same result.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document or an item cannot be used, or the training data have no words.

    >>> evals = [{"question": "Which river flows through Grahamstown in the Eastern Cape?", "answer": "None"}]
    >>> found = audit([f"the weather of day {n} was fine and dry" for n in range(30)], evals, plants=1)
    >>> found.kinds.select(["kind", "planted", "found"]).slice(0, 1).to_pylist()
    [{'kind': 'verbatim', 'planted': 1, 'found': 1}]
    """
    from ibidem.auditing.plants import SOURCE, draw_documents, make_plants, plan_rounds
    from ibidem.auditing.result import GRID, Audit, judge_plants
    from ibidem.contamination.evals import as_evals
    from ibidem.contamination.find import find_contamination
    from ibidem.rounding import reaches
    from ibidem.text import make_tokenizer

    require_fraction("threshold", threshold)
    require_fraction("target", target)
    for name, count in (("sample", sample), ("plants", plants)):
        if count < 1:
            raise ValueError(f"{name} must be 1 or more, not {count}")
    items, generator = as_evals(evals, EvalColumns(question, answer, passage, choices)), random.Random(seed)
    documents, documents_read = draw_documents(train, sample, generator, text, id)
    made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    find = partial(
        find_contamination,
        evals=items,
        threshold=GRID[0],
        tokenizer=made_tokenizer,
        memory=memory,
        threads=threads,
        source=SOURCE,
    )
    with_items = {
        row["document"]
        for row in find(documents).contamination.to_pylist()
        if reaches(row["containment"], min(threshold, _HELD))
    }
    hosts = [document.text for document in documents if document.id not in with_items and document.text.strip()]
    if not hosts:
        raise CorpusError("the training data have no document to plant items in: none without an item has a text")
    outcomes: list[Outcome] = []
    tell = as_tell(progress)
    rounds = plan_rounds(list(enumerate(items.items)), plants, generator)
    for turn, planted_items in enumerate(rounds):
        new_plants = list(make_plants(planted_items, hosts, turn, generator))
        new = chain.from_iterable((*plant.holders, *plant.templates) for plant in new_plants)
        result = find([*documents, *new])
        outcomes += judge_plants(new_plants, items, result.contamination.to_pylist(), result.left_out.to_pylist())
        tell("auditing", turn + 1, len(rounds))
    summary = {
        "documents_read": documents_read,
        "documents_sampled": len(documents),
        "documents_with_items_already": len(with_items),
        "items": len(items.items),
        "planted": len(outcomes),
        "rounds": len(rounds),
        "threshold": threshold,
        "target": target,
        "seed": seed,
        "recognized": list(items.recognized),
    }
    return Audit.of(outcomes, items, summary)
