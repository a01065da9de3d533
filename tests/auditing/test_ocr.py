"""Errors of machine reading: as many as asked for, of like shapes, and never an exchange of letters."""

import random

from ibidem.auditing.ocr import CONFUSIONS, misread

TEXT = "The quick brown fox jumps over the lazy dog, and the other dog sleeps by the old mill. " * 40


def test_about_as_many_characters_are_misread_as_asked_for() -> None:
    drawn = random.Random(1)
    wrong = sum(misread(each, 0.05, drawn) != each for each in TEXT)
    assert 0.035 * len(TEXT) < wrong < 0.065 * len(TEXT)


def test_nothing_is_misread_at_rate_nought_and_the_same_draws_give_the_same() -> None:
    assert misread(TEXT, 0.0, random.Random(1)) == TEXT
    assert misread(TEXT, 0.1, random.Random(1)) == misread(TEXT, 0.1, random.Random(1)) != TEXT


def test_a_letter_is_taken_for_one_of_a_like_shape_lost_or_beside_a_speck() -> None:
    drawn = random.Random(3)
    seen = {misread("m", 1.0, drawn) for _ in range(300)}
    assert set(CONFUSIONS["m"]) <= seen
    assert all(each in (*CONFUSIONS["m"], "") or each[0] == "m" for each in seen)
    assert misread(" ", 1.0, drawn) == ""
    assert {misread("語", 1.0, drawn) for _ in range(50)} <= {"", "語 ", *(f"語{mark}" for mark in ".,'·-^")}


def test_no_character_is_taken_for_itself() -> None:
    assert all(character not in shapes for character, shapes in CONFUSIONS.items())
