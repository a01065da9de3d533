"""Texts on one subject that nobody has copied: no sentence and no colour says that somebody has, in either language.

All that is shown is read: every part of an answer, on the screen and in print, the report, and what commands write.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from ibidem.cli import main
from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Project, Projects
from ibidem.web.projects.saving import ReportRequest, save_report
from ibidem.web.projects.server import make_app

from ...browser import open_page, wait_until
from ..conftest import running
from .conftest import MEMORY, SECONDS, SECRET, answer_here, bring

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CLASSES = {
    "en": (
        "School uniforms are meant to make everyone equal, and in the morning nobody has to think about what to wear. "
        "I still believe that they are a bad idea. Clothes are one of the few things that young people can decide for "
        "themselves, and a blazer does not stop anyone from being unkind. At the end of the day it is the teachers who "
        "make the difference, not the colour of a tie.",
        "In my opinion a uniform is a good thing for a school. My cousin wears one, and he says that it is easier to "
        "get up early because there is nothing to choose. It is also cheaper for families, since one pair of trousers "
        "lasts for a year. On the other hand, some of my friends would miss their favourite clothes, and I can "
        "understand that as well.",
        "When people talk about uniforms, they often forget the cost. A set with the badge of the school can be twice "
        "as expensive as clothes from a market, and children grow out of it quickly. What is more, a rule like this "
        "has to be checked every day, which takes time from lessons. I would rather see the money go to the library "
        "and to trips that all of us can take part in.",
        "One of the reasons why I am in favour of uniforms is that they make a class feel like a team. In sports "
        "nobody asks why all players wear the same shirt. It is true that a uniform cannot solve every problem, but "
        "it takes away one thing that we compare each other by. For me this is more important than showing the "
        "newest shoes to the rest of the class.",
    ),
    "de": (
        "Handys sind aus dem Alltag nicht mehr wegzudenken, und doch finde ich, dass sie im Unterricht nichts zu "
        "suchen haben. Wer auf eine Nachricht wartet, hört der Lehrerin nicht zu. In der Pause kann man sich auch "
        "ohne Bildschirm unterhalten, und das tut der Klasse gut. Natürlich muss man im Notfall die Eltern erreichen "
        "können, aber dafür gibt es das Sekretariat.",
        "Meiner Meinung nach sollte die Schule das Handy erlauben, wenn es einen Sinn hat. Mit einem Wörterbuch oder "
        "einer Karte auf dem Gerät geht vieles schneller, und wir lernen, wie man gute Quellen erkennt. Ein Verbot "
        "hilft wenig, denn zu Hause liegt das Telefon ja doch neben den Hausaufgaben. Auf der anderen Seite stört "
        "es mich selbst, wenn neben mir jemand spielt.",
        "In vielen Schulen wird darüber gestritten, ob das Telefon in der Tasche bleiben muss. Ich sehe vor allem die "
        "Gefahr, dass heimlich Bilder von anderen gemacht werden. Das ist nicht nur verboten, sondern verletzt auch "
        "Menschen, die sich nicht wehren können. Deshalb bin ich für klare Regeln, die wir gemeinsam mit den Lehrern "
        "aufschreiben und an die sich alle halten.",
        "Als meine Mutter zur Schule ging, hatte niemand ein Handy, und sie hat trotzdem Freunde gefunden. Das ist "
        "für mich kein Grund, heute darauf zu verzichten. Der Bus fällt aus, das Training beginnt später, und ohne "
        "eine kurze Nachricht stünde ich im Regen. Im Unterricht selbst gehört es ausgeschaltet in die Tasche, das "
        "ist für alle am einfachsten.",
    ),
}
"""Four texts each on one subject, written apart from each other."""

ACCUSING = re.compile(
    r"plagi|cheat|copied|copying|stolen|steal|theft|suspic|suspect|guilt|fraud|proof|proves|borrow|caught|"
    r"word for word|text in common|standard deviation|surest pairs|sure pairs|abgeschrieben|abschreib|verdächt|"
    r"täusch|betrug|"
    r"schuld|gestohlen|beweis|erwischt|sicherst|wörtlich",
    re.IGNORECASE,
)

PARTS = ("pairs", "documents", "leftout", "save")


@pytest.fixture(scope="module", params=CLASSES)
def independent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A class that wrote on one subject."""
    project = Projects(tmp_path_factory.mktemp("fair") / "projects").create(f"Class {request.param}")
    bring(project, {f"{number}.txt": text.encode() for number, text in enumerate(CLASSES[request.param], 1)})
    return project


def read_all(page: "Page") -> str:
    """All that a page says, also to screen readers, and where a pointer rests."""
    return str(
        page.evaluate(
            """() => {
              const named = [...document.querySelectorAll("[title], [aria-label]")];
              const said = named.flatMap((each) => [each.title, each.getAttribute("aria-label")]);
              return [document.body.innerText, document.title, ...said].join("\\n");
            }"""
        )
    )


def require_fair(page: "Page") -> None:
    """Nothing accuses: on the screen and in print no word does, and no word of a text is marked."""
    for medium in ("screen", "print"):
        page.emulate_media(media=medium)  # type: ignore[arg-type]
        assert ACCUSING.findall(read_all(page)) == []
    page.emulate_media(media="screen")
    assert page.locator(".run:is(.equal, .moved, .changed), .warning").all_inner_texts() == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_word_and_no_colour_of_the_page_accuses(browser: "Browser", independent: Project, language: str) -> None:
    files = [item.id for item in independent.items()]
    runs = [answer_here(independent, "reuse"), answer_here(independent, "align", files[:2])]
    projects = Projects(independent.folder.parent)
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    with running(make_app(projects, workers, SECRET)) as address:
        page = open_page(browser, locale=language)
        page.goto(f"{address}/?key={SECRET}")
        for run in runs:
            for part in (*PARTS, *(("pair=0",) if run is runs[1] else ())):
                place = part if "=" in part else f"part={part}"
                page.goto(f"{address}/#p={independent.id}&run={run.id}&{place}")
                wait_until(page, "() => document.getElementById('main').getAttribute('aria-busy') === 'false'")
                require_fair(page)
        page.locator(".pane").first.wait_for()
        assert {"in runs of five or more", "fünf oder mehr hintereinander"} & set(
            re.findall("in runs of five or more|fünf oder mehr hintereinander", page.locator(".shares").inner_text())
        )
        page.context.close()
    workers.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_word_and_no_colour_of_a_report_accuses(
    browser: "Browser", independent: Project, language: str, tmp_path: Path
) -> None:
    files = [item.id for item in independent.items()]
    page = open_page(browser, offline=True)
    for run in (answer_here(independent, "reuse"), answer_here(independent, "align", files[:2])):
        path = tmp_path / f"{run.id}.html"
        asked = ReportRequest(project=independent.id, run=run.id, language=language)  # type: ignore[arg-type]
        path.write_bytes(save_report(run.answer, asked).data)
        for part in ("part=pairs", "part=documents", "part=leftout", "pair=0"):
            page.goto(f"{path.as_uri()}#{part}")
            page.locator("h1").wait_for()
            require_fair(page)
    page.context.close()


def test_no_word_of_what_commands_write_accuses(
    browser: "Browser", independent: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = CLASSES[independent.about.name.removeprefix("Class ")]
    for number, text in enumerate(texts, 1):
        Path(f"{number}.txt").write_text(text, "utf-8")
    names = [f"{number}.txt" for number in range(1, 5)]
    commands = [
        ["reuse", *names, "-o", "found", "--html", "reuse.html"],
        ["report", "found", "--language", "de", "-o", "bericht.html"],
        ["align", *names[:2], "--html", "align.html"],
        ["align", *names[:2], "--shares"],
    ]
    for command in commands:
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
        assert ACCUSING.findall(done.output) == []
    page = open_page(browser, offline=True)
    for name in ("reuse", "bericht", "align"):
        for part in ("pairs", "documents", "leftout"):
            page.goto(f"{(tmp_path / f'{name}.html').as_uri()}#part={part}")
            page.locator("h1").wait_for()
            require_fair(page)
    page.context.close()
