"""What any index of passages can be: what makes no sense is refused by name."""

import pytest

from ibidem.passage_configuration import LONGEST, PassageConfiguration, choose_measure

TOKENIZER = {"name": "words"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"family": "sets"}, "no family is called 'sets'; there are set, multiset, weighted"),
        ({"min_length": 0}, "not 0 and 1024"),
        ({"min_length": 9, "max_length": 8}, "not 9 and 8"),
        ({"max_length": LONGEST + 1}, "max_length <= 65535"),
        ({"tf": "squared"}, "tf and idf are weights of the family 'weighted', not of 'multiset'"),
        ({"family": "weighted", "tf": "cubed"}, "cubed"),
        ({"family": "weighted", "idf": "rare"}, "no idf is called 'rare'"),
    ],
)
def test_choices_that_make_no_sense_are_refused_by_name(wrong, message):
    with pytest.raises(ValueError, match=message):
        PassageConfiguration(tokenizer=TOKENIZER, **wrong)


def test_weights_choose_the_family_unless_another_is_named():
    for measure, expected in (
        ((None, None, None), {"family": "multiset", "tf": "raw", "idf": "unary"}),
        ((None, "squared", None), {"family": "weighted", "tf": "squared"}),
        ((None, None, "smooth"), {"family": "weighted", "idf": "smooth"}),
        (("set", "binary", None), {"family": "set", "tf": "raw", "idf": "unary"}),
    ):
        assert choose_measure(*measure) == expected
    with pytest.raises(ValueError, match="tf and idf are weights of the family 'weighted'"):
        choose_measure("set", None, "smooth")


def test_frequencies_are_needed_by_an_idf_alone():
    for family, idf, expected in (("set", "unary", False), ("weighted", "unary", False), ("weighted", "smooth", True)):
        configuration = PassageConfiguration(tokenizer=TOKENIZER, family=family, idf=idf)
        assert configuration.needs_frequencies == expected
        assert configuration.lengths == (1, 1024)
