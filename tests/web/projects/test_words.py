"""The words of the page: what one language has, the other has, too."""

import ast
import re
from pathlib import Path

import ibidem
from ibidem.web.page_files import read_page_file

_RAISED = ("ProblemError", "CorpusError", "UnreadableError", "NoTextError", "Reading", "fail")
_OF_PROGRAMS = ("takes", "bytes of a file have to come", "nothing is at this address")
"""Answers to requests that the page does not send."""


def test_the_words_of_all_languages_have_the_same_names() -> None:
    text = read_page_file("words.js").decode()
    english, german = re.split(r"\n  de: \{", text.partition("const WORDS = {")[2].partition("\n};")[0])
    names = [re.findall(r'(?:^|[{,])\s*(?:"([^"]+)"|([\w]+)):\s*"', part, re.M) for part in (english, german)]
    assert [a or b for a, b in names[0]] == [a or b for a, b in names[1]]
    assert len(names[0]) > 150


def messages_of(path: Path) -> set[str]:
    """What a module says when something fails, with ``{}`` for what is put in."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in _RAISED:
            for given in node.args:
                if isinstance(given, ast.JoinedStr):
                    found.add("".join(part.value if isinstance(part, ast.Constant) else "{}" for part in given.values))
                elif isinstance(given, ast.Constant) and isinstance(given.value, str) and " " in given.value:
                    found.add(given.value)
    return found - {"left out", "{}"}


def test_what_the_server_says_of_files_and_answers_is_there_in_german() -> None:
    """All that the app says itself, and most of what readers say."""
    source = read_page_file("words.js").decode()
    said = source.partition("const SAID = {")[2].partition("\n};")[0]
    german = dict(re.findall(r'^    "([^"]+)": "([^"]+)",$', said, re.M))
    assert [english for english, words in german.items() if words.count("{}") > english.count("{}")] == []
    package = Path(ibidem.__file__).parent

    def unknown(folder: Path) -> tuple[int, set[str]]:
        messages = {words for module in folder.glob("*.py") for words in messages_of(module)}
        needed = {words for words in messages if not any(part in words for part in _OF_PROGRAMS)}
        return len(needed), {words for words in needed if not any(words.startswith(known) for known in german)}

    of_app, of_readers = unknown(package / "web" / "projects"), unknown(package / "corpus" / "readers")
    assert of_app[0] > 25
    assert of_app[1] == set()
    assert len(of_readers[1]) < of_readers[0] / 4
