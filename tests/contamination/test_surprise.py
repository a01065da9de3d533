import numpy as np

from ibidem.contamination.bigrams import BigramTable, bigrams_of
from ibidem.contamination.items import Item
from ibidem.contamination.parts import split_parts
from ibidem.contamination.surprise import Surprise, learn_surprise, sample_tokens
from ibidem.text import Texts, make_tokenizer

WORDS = make_tokenizer("words")


def weigh(questions: list[str], sample: list[str]) -> Surprise:
    parts = split_parts([Item("e", "", "", number, text) for number, text in enumerate(questions)], WORDS)
    distinct = np.unique(bigrams_of(parts.ids, parts.bounds))
    tokens = WORDS.encode(Texts.from_strings(sample))
    return learn_surprise(parts, distinct, sample_tokens([tokens], BigramTable.of(distinct), len(distinct)))


def test_words_of_a_phrase_that_many_items_share_weigh_little_behind_its_first() -> None:
    templates = [f"which of the following statements about quark{number} holds" for number in range(50)]
    weights = weigh(templates, ["nothing"]).weights[:8]
    assert (weights[1:5] < 0.3).all()
    assert weights[6] > 5


def test_an_item_does_not_foretell_itself_however_often_the_sample_repeats_it() -> None:
    text = "seven purple herons crossed Lake Ngami before the first October rain"
    filler = ["something else entirely was said about the weather in general"] * 20
    alone = weigh([text], filler).totals[0]
    leaked = weigh([text], filler + [text] * 5).totals[0]
    assert leaked > 0.8 * alone


def test_two_items_of_one_question_do_not_take_each_others_weight() -> None:
    text = "seven purple herons crossed Lake Ngami before the first October rain"
    assert weigh([text, text], ["x"]).totals[0] > 0.9 * weigh([text], ["x"]).totals[0]


def test_items_that_differ_in_their_choices_alone_share_a_question_that_says_nothing() -> None:
    choices = [(f"salt{number}", f"iron{number}") for number in range(30)]
    items = [Item("e", "", "", number, "Which claim here holds?", answers=each) for number, each in enumerate(choices)]
    parts = split_parts(items, WORDS)
    assert len(set(parts.groups.tolist())) == 30


def test_a_word_that_the_sample_has_often_weighs_less() -> None:
    weights = weigh(["common rare"], ["common thing, common matter, some common word"] * 200).weights
    assert weights[0] < weights[1] - 3
