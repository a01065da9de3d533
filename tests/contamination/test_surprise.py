import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.bigrams import BigramCounts, BigramTable, hash_bigrams
from ibidem.contamination.items import Item
from ibidem.contamination.parts import split_parts
from ibidem.contamination.surprise import Surprise, count_beyond_copies, learn_surprise, sample_tokens
from ibidem.text import Texts, make_tokenizer

WORDS = make_tokenizer("words")


def weigh(questions: list[str], sample: list[str]) -> Surprise:
    parts = split_parts([Item("e", "", "", number, text) for number, text in enumerate(questions)], WORDS)
    distinct = np.unique(hash_bigrams(parts.ids, parts.bounds))
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


def test_a_set_phrase_within_an_item_weighs_little_although_its_words_always_stand_together() -> None:
    phrase = "listen to the next chapter as the bells explain"
    question = f"Whether Zhuge Liang burnt all ships at Chibi remains unsaid: {phrase}"
    filler = ["something else entirely was said about the weather in general"] * 20
    rare = weigh([question], filler).weights
    common = weigh([question], filler + [phrase] * 60).weights
    assert common[-7:].sum() < 0.3 * rare[-7:].sum()
    assert np.allclose(common[:9], rare[:9], atol=1.5)


def test_copies_with_other_words_in_some_places_do_not_take_the_weight_of_an_item() -> None:
    text = "seven purple herons crossed Lake Ngami before the first October rain and nobody saw them"
    words = text.split()
    copies = [" ".join(f"other{n}" if at % 5 == 4 else word for at, word in enumerate(words)) for n in range(15)]
    filler = ["something else entirely was said about the weather in general"] * 20
    alone, leaked = (weigh([text], sample).totals[0] for sample in (filler, filler + copies))
    assert leaked > 0.7 * alone


def test_a_part_that_repeats_itself_weighs_less_than_its_length() -> None:
    weights = weigh(["if s[i] == s[i+1] or s[i+1] == s[i+2] or s[i] == s[i+2]: return Falsehood"], ["x"]).weights
    assert weights[-3] < 4 < weights[-1]


_COUNTS = st.lists(st.lists(st.tuples(*[st.integers(1, 9)] * 3), max_size=7), min_size=1, max_size=6)


@given(_COUNTS)
def test_bigrams_are_counted_beyond_the_copies_of_their_part(parts: list[list[tuple[int, int, int]]]) -> None:
    every = [(a * b, min(a, c), min(a * b, c)) for part in parts for a, b, c in part]  # times, and the contexts of each
    counts = np.array([*every, (0, 0, 0)], np.int64).T
    numbers, bounds, expected, next_ = list[int](), [0], list[float](), 0
    for part in parts:
        own = every[next_ : next_ + len(part)]
        copies, repeated = 0, 0
        if own:
            copies = sorted(times for times, *_ in own)[len(own) // 2]
            repeated = sorted(times - min(contexts) for times, *contexts in own)[len(own) // 2]
        numbers += [-1, *range(next_, next_ + len(own))]
        by_times = [times - copies - 2 * copies**0.5 - 1 for times, *_ in own]
        by_context = [max(contexts) - repeated - 1 for _, *contexts in own]
        expected += [0.0, *(max(0.0, a, b) for a, b in zip(by_times, by_context, strict=True))]
        next_ += len(own)
        bounds.append(len(numbers))
    sample = BigramCounts(counts[0], counts[1:])
    beyond = count_beyond_copies(np.array(numbers, np.int64), np.array(bounds, np.int64), sample)
    assert np.allclose(beyond, expected)
