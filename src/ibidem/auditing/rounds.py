"""The rounds of an audit: the documents that are drawn from the training data, and the items planted in each round."""

import random

from ibidem.auditing.plants import KINDS, SOURCE
from ibidem.contamination.items import Item
from ibidem.text import Collection, Document, as_batches


def draw_documents(
    train: Collection, count: int, generator: random.Random, text: str = "text", id: str = "id"
) -> tuple[list[Document], int]:
    """``count`` documents, all as likely as each other, and how many were read (Vitter's algorithm R, 1985)."""
    sample: list[Document] = []
    read = 0
    for batch in as_batches(train, text, id):
        for row in range(len(batch.ids)):
            place = read if read < count else generator.randrange(read + 1)
            read += 1
            if place < count:
                document = Document(f"sampled-{read}", batch.texts[row], {SOURCE: ""})
                sample[place : place + 1] = [document]
    return sample, read


def plan_rounds(
    numbered_items: list[tuple[int, Item]], plants: int, generator: random.Random
) -> list[list[tuple[int, Item]]]:
    """The items that are planted in each round, so that each form has about so many ``plants``."""
    generator.shuffle(numbered_items)
    rounds = min(len(KINDS), -(-plants * len(KINDS) // len(numbered_items)))
    most = max(-(-plants * len(KINDS) // rounds), 1)
    return [numbered_items[:most]] * rounds
