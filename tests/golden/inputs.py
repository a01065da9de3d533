"""The inputs of the golden outputs: small collections that are unlike each other, the same on every machine."""

# ruff: noqa: SIM905 - words read better as lines than as lists

import csv
import gzip
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

FERRY = (
    "When the ferry came in at last, the whole street ran down to the harbour with lanterns and blankets, for "
    "everybody had a brother or a cousin on board, and nobody had slept since the storm began. The captain stood at "
    "the rail and called out the names one after the other, so that those who waited should know it before the ropes "
    "were made fast."
)
BEES = (
    "A beekeeper needs patience more than courage. In spring the hives are opened on the first warm day, the frames "
    "are lifted out one by one, and what the winter has left is counted. Weak swarms are joined to strong ones; sugar "
    "is boiled and cooled and set out at dusk. Then there is nothing to be done for weeks but to watch the gate and "
    "wait."
)
CLOCK = (
    "The clock of the town hall had been wrong for eleven years, and by now most people were wrong with it. Trains "
    "left nine minutes before the passengers came, the baker sold yesterday's rolls, and when a stranger with a good "
    "watch asked the way to the station he was told kindly that there was no hurry."
)
NOTICE = (
    "This document is provided as is, without warranty of any kind, express or implied. It may be copied and passed "
    "on free of charge as long as this notice stays at its end. In no event shall the authors be liable for any "
    "damage that arises from its use. Questions are to be sent to the office in writing."
)
NOUNS = (
    "river mill winter teacher lamp valley cart orchard letter soldier window bridge sister market stone garden "
    "captain village horse summer paper forest doctor basket island mirror kitchen neighbour coat ladder meadow "
    "painter drum road carpenter snow candle goat bell widow harvest rope fountain judge violin barn ferryman cloud "
    "blanket tower"
).split()
ADJECTIVES = (
    "old quiet narrow broken yellow patient heavy distant clever wet crooked pale stubborn empty early bitter green "
    "proud hollow sudden careful dusty gentle lame silver rough hungry bright honest cold idle foreign"
).split()
VERBS = (
    "carried watched sold forgot painted followed mended buried praised crossed borrowed answered feared opened "
    "counted lifted measured refused greeted sheltered envied weighed remembered traded pulled hid blamed washed "
    "burned guarded"
).split()
FUNCTION_WORDS = (
    "the the the the of of and and to a a in that he she it was for on with as at by from had his her not but they "
    "which or were when all so no out up into over then could what who an after there before about down only between "
    "under"
).split()
ENDINGS = ("", "s", "ful", "less", "ward", "like", "ing", "keeper", "side", "house", "light", "stone", "work", "ry")
CHINESE = (
    "天地人山水风云月日花鸟树石城门路桥河湖海船马车书信灯火酒茶米衣食春夏秋冬朝夕东西南北高低远近大小"
    "新旧明暗黑白红青来去行走坐立看听说问答知思忘记爱恨生死老少父母兄弟朋友先生客主王国家乡村市井古今"
    "年岁时刻忽然已经却又只有没不可能会要想"
)
ARABIC = (
    "كتاب مدينة نهر جبل رجل امرأة طريق بيت شجرة قمر شمس بحر سفينة تاجر ملك وزير قاضي عالم شاعر حديقة ليل نهار صباح "
    "مساء ذهب رجع كتب قرأ سمع نظر وجد طلب سأل أجاب حمل باع اشترى فتح أغلق عرف نسي كبير صغير قديم جديد بعيد قريب طويل "
    "جميل في من إلى على عن مع بعد قبل عند ثم لكن حتى"
).split()
LATIN_OLD = (
    "Iuuenis quidam, cum ad uiam uenisset, uidit senem iuxta ianuam iacentem. Quem cum iussisset surgere, ait ille: "
    "non possum, nam uires meæ defecerunt et pœna mea maior est quam ut ferre ualeam. Tunc iuuenis misericordia motus "
    "uinum ei dedit et uestimenta, et in domum suam duxit.\nPostea autem senex conualuit et ei multa de uita sua "
    "narrauit."
)
LATIN_NEW = (
    "Juvenis quidam, cum ad viam venisset, vidit senem juxta januam jacentem. Quem cum jussisset surgere, ait ille: "
    "non possum, nam vires meae defecerunt et poena mea major est quam ut ferre valeam. Tunc juvenis misericordia "
    "motus vinum ei dedit et vestimenta, et in domum suam duxit.\nDeinde vero senex convaluit et multa ei de vita sua "
    "narravit."
)
POEM_OLD = """The tide goes out, the tide comes in,
The boats lie tilted on the sand,
And where the village lanes begin
The women wait, a net in hand.
No sail has passed the point today,
No bell has rung, no gull has cried,
The light is thin, the hills are grey,
And nothing moves except the tide.
"""
POEM_NEW = """The tide goes out, the tide comes in,
The boats lie leaning on the sand,
And where the fishers' lanes begin
The women wait, a lamp in hand.
The light is thin, the hills are grey,
No sail has passed the point today,
No bell has rung, no bird has cried,
They say the harbour once was wide,
And nothing moves except the tide.
"""
ITEMS = [
    ("Which glacier feeds the turquoise lake above the old monastery of Saint Verena?", "Ferpecle"),
    ("How many copper kettles did the tinker of Ravensburg mend before Michaelmas in 1784?", "Seventeen"),
    ("What did the blind organ builder of Tolmezzo hide inside the largest pipe of his last instrument?", "A letter"),
    ("A farmer sells 48 crates of apples on Monday and half as many on Tuesday. How many crates in all?", "72"),
    ("Why does the bronze hare on the bridge at Uzerche face away from the river?", "To watch the road"),
    ("Who signed the treaty between the two salt towns on the frozen lake in the winter of 1642?", "Anna Bruckner"),
    ("Which metal was used for the hinges of the western door of the granary at Holm?", "Brass"),
    ("Name the author of the almanac that predicted the drought in the third year of the regency.", "Elias Moor"),
]
FUNCTION = '''
def merge_intervals(intervals, gap=0):
    """Join intervals that overlap or lie at most a gap apart."""
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1] + gap:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
'''


def make_inputs(folder: Path) -> None:
    """Write all inputs into a folder."""
    write_books(folder / "books")
    write_pages(folder)
    write_notices(folder)
    write_code(folder / "code")
    write_logs(folder)
    write_scripts(folder)
    write_noise(folder)
    write_editions(folder)
    write_evals(folder)
    write_outputs(folder)
    write_truth(folder)
    write_text(
        folder / "broken.jsonl", '{"id": "a", "text": "Good."}\n{"id": "b", "text": \n["c"]\n{"id": "d", "text": 7}\n'
    )


def write_books(folder: Path) -> None:
    """English prose in files of plain text, one of them compressed; passages are copied, changed and moved."""
    chapters = {name: write_prose(name, 24) for name in ("anna", "bruno", "clara", "david", "edith", "felix")}
    moved = " ".join(reversed(FERRY.split(". ")))
    texts = {
        "anna.txt": join_paragraphs(chapters["anna"], FERRY, BEES),
        "bruno.txt": join_paragraphs(chapters["bruno"], change_words(FERRY, "bruno", 0.12), CLOCK),
        "clara.txt": join_paragraphs(chapters["clara"], change_words(BEES, "clara", 0.3)),
        "late/david.txt": join_paragraphs(chapters["david"], moved, chapters["anna"][300:900]),
        "late/felix.txt": join_paragraphs(chapters["felix"], CLOCK, CLOCK),
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    (folder / "edith.txt.gz").write_bytes(gzip.compress(join_paragraphs(chapters["edith"], BEES).encode(), mtime=0))
    write_text(folder.parent / "letter.txt", f"Dear L.,\n\n{change_words(FERRY, 'letter', 0.08)}\n\nYours, R.\n")
    write_text(folder.parent / "essay.txt", join_paragraphs(write_prose("essay", 40), CLOCK, chapters["clara"][:700]))
    write_text(folder.parent / "unrelated/one.txt", write_prose("one", 60))
    write_text(folder.parent / "unrelated/two.txt", write_prose("two", 60))


def write_pages(folder: Path) -> None:
    """Near-duplicate documents with columns, as JSON lines, Parquet, CSV and TSV."""
    rows: list[dict[str, Any]] = []
    for group in range(6):
        text = write_prose(f"page {group}", 7 + 2 * group)
        for copy, rate in enumerate((0, 0, 0.01, 0.03, 0.06, 0.2)[: 2 + group % 5]):
            copied = change_words(text, f"copy {group} {copy}", rate) + " More." * (copy == 3)
            rows.append({"text": copied, "year": 1990 + (7 * group + 3 * copy) % 20, "score": (group + copy) % 4 / 4})
    rows += [{"text": text, "year": 2001, "score": 0.5} for text in ("Too short.", "Too short.", "")]
    order = sorted(range(len(rows)), key=lambda number: (number * 11) % len(rows))
    rows = [{"id": f"p{n:02}", **rows[m], "site": "ab"[m % 2] + ".example"} for n, m in enumerate(order)]
    write_rows(folder / "pages.jsonl", rows)
    write_table(folder / "batches/1.parquet", rows[:9])
    write_csv(folder / "batches/2.csv", rows[9:18])
    write_csv(folder / "batches/3.tsv", rows[18:], "\t")
    lines = "".join(json.dumps({"id": f"n{n}", "text": row["text"]}) + "\n" for n, row in enumerate(rows[4:9]))
    new = json.dumps({"id": "new", "text": write_prose("new page", 9)}) + "\n"
    (folder / "week.jsonl.gz").write_bytes(gzip.compress((lines + new).encode(), mtime=0))


def write_notices(folder: Path) -> None:
    """Documents that share a notice; a few also share something of their own."""
    rows = []
    for number in range(14):
        own = write_prose(f"notice {number}", 8)
        shared = {3: CLOCK, 9: change_words(CLOCK, "notice", 0.1)}.get(number, "")
        notice = NOTICE if number % 3 else change_words(NOTICE, f"notice {number}", 0.04)
        rows.append(
            {"id": f"n{number}", "text": join_paragraphs(own, shared, notice), "author": f"author {number % 4}"}
        )
    write_rows(folder / "notices.jsonl", rows)
    write_text(folder / "sheet.txt", NOTICE)
    write_text(folder / "phrases.txt", "the clock of the town hall\nthere was no hurry\n")


def write_code(folder: Path) -> None:
    """Program text: functions copied, also with other names."""
    renamed = FUNCTION.replace("merged", "joined").replace("intervals", "spans").replace("gap", "slack")
    write_text(folder / "ranges.py", '"""Ranges."""\n\nimport math\n' + FUNCTION + write_functions("ranges"))
    write_text(folder / "tools.py", '"""Tools."""\n\nimport os\n' + write_functions("tools") + FUNCTION)
    write_text(folder / "spans.py", write_functions("spans") + renamed)
    write_text(folder / "other.py", write_functions("other"))


def write_logs(folder: Path) -> None:
    """Log lines: much repetition within and between documents."""
    rows = []
    for day in range(4):
        random, lines = Random(f"log {day}"), []
        for minute in range(30):
            host, state = random.choice("abc"), random.choice(["ok", "ok", "ok", "slow", "failed"])
            lines.append(f"2024-03-0{day + 1} 10:{minute:02}:00 host-{host} worker[{minute % 3}] heartbeat {state}")
        rows.append({"id": f"day {day + 1}", "text": "\n".join(lines)})
    rows.append({"id": "repeated", "text": "All work and no play makes a dull day. " * 25})
    write_rows(folder / "logs.jsonl", rows)


def write_scripts(folder: Path) -> None:
    """Chinese without spaces, Arabic with and without vowel marks, Latin in two spellings."""
    passage = write_chinese("passage", 60)
    rows = [
        {"id": "first", "text": write_chinese("first", 150) + passage + write_chinese("end", 40)},
        {"id": "second", "text": write_chinese("second", 120) + passage},
        {"id": "third", "text": passage[:25] + "。" + write_chinese("third", 130) + passage[30:]},
        {"id": "fourth", "text": write_chinese("fourth", 200)},
    ]
    write_rows(folder / "chinese.jsonl", rows)
    queries = [passage, passage[:40], passage[:20] + "大小新旧" + passage[24:], write_chinese("other", 50)]
    write_rows(folder / "sentences.jsonl", [{"id": f"s{n}", "text": query} for n, query in enumerate(queries)])
    shared = write_arabic("shared", 45)
    marked = "".join(letter + "َُِ"[n % 3] * (n % 2) if letter != " " else letter for n, letter in enumerate(shared))
    texts = [
        write_arabic("one", 90) + " " + shared,
        marked + " " + write_arabic("two", 70),
        write_arabic("three", 110),
    ]
    arabic = [{"id": f"a{n}", "text": text, "date": f"9{n}0"} for n, text in enumerate(texts)]
    write_csv(folder / "arabic.csv", arabic)
    write_text(folder / "latin/old.txt", LATIN_OLD)
    write_text(folder / "latin/new.txt", LATIN_NEW)


def write_noise(folder: Path) -> None:
    """Text as machines misread it, and short quotations with and without marks."""
    sources = [("ferry", FERRY), ("bees", BEES), ("clock", CLOCK)]
    rows = [
        {"id": f"{name}{rate}", "text": f"{write_prose(f'{name} {rate}', 1)}\n{misread(text, name, rate)}\n"}
        for name, text in sources
        for rate in (2, 6, 12)
    ]
    write_rows(folder / "ocr.jsonl", rows)
    quotations = [
        {
            "id": "q1",
            "text": f'{write_prose("q1", 3)} As the book says, "the baker sold yesterday\'s rolls", and he did.',
        },
        {"id": "q2", "text": f"{write_prose('q2', 3)} Nobody had slept since the storm began, they said. It was so."},
        {"id": "q3", "text": "A beekeeper needs patience more than courage."},
        {
            "id": "q4",
            "text": f"{write_prose('q4', 3)} Sugar is boiled and cooled and set out at dusk for the weak swarms.",
        },
        {"id": "q5", "text": write_prose("q5", 6)},
    ]
    write_rows(folder / "quotes.jsonl", quotations)


def write_editions(folder: Path) -> None:
    """A poem in two editions, and pairs of documents."""
    write_text(folder / "poem/1890.txt", POEM_OLD)
    write_text(folder / "poem/1922.txt", POEM_NEW)
    pairs = [{"suspicious": "ferry2", "source": "ferry6"}, {"a": "bees2", "b": "bees12"}, {"a": "clock2", "b": "bees2"}]
    write_rows(folder / "pairs.jsonl", pairs)


def write_evals(folder: Path) -> None:
    """Items of evaluations, and training documents that hold some of them, whole, in part, or changed."""
    items = [{"question": question, "answer": answer} for question, answer in ITEMS]
    write_rows(folder / "evals/quiz.jsonl", items)
    write_rows(folder / "more-evals.jsonl", [{"id": "x", "prompt": BEES[:120], "target": "patience"}])
    numbers = ITEMS[3][0].replace("48", "96").replace("apples", "pears")
    leaks = [
        f"Q: {ITEMS[0][0]}\nA: {ITEMS[0][1]}",
        change_words(ITEMS[1][0], "leak", 0.2),
        f"{ITEMS[2][0][:60]} and so on.",
        numbers,
        f"{ITEMS[4][0]}\n{ITEMS[4][1]}",
        f"{ITEMS[5][0].upper()} -- {ITEMS[5][1]}",
    ]
    rows = []
    for number in range(18):
        before, after = write_prose(f"train {number}", 6), write_prose(f"after {number}", 6)
        leak = leaks[number // 3] if number % 3 == 0 else ""
        url = f"https://{'abc'[number % 3]}.example/{number}"
        rows.append({"id": f"t{number}", "text": join_paragraphs(before, leak, after), "url": url})
    write_rows(folder / "training/a.jsonl", rows[:10])
    write_table(folder / "training/b.parquet", rows[10:])
    write_rows(folder / "training-more.jsonl", [{"id": "m0", "text": f"{ITEMS[6][0]} {ITEMS[6][1]}.", "url": "x"}])


def write_outputs(folder: Path) -> None:
    """Outputs of a model: some repeat the books, in full, changed, or not at all."""
    outputs = [
        f"{write_prose('output', 2)} {FERRY}",
        f"Here is what I know. {change_words(BEES, 'output', 0.15)} I hope this helps.",
        write_prose("nothing", 8),
        CLOCK[:150],
    ]
    write_rows(folder / "outputs.jsonl", [{"id": f"o{n}", "text": text} for n, text in enumerate(outputs)])


def write_truth(folder: Path) -> None:
    """Results and their truth: passages, pairs of documents, and clusters."""
    names = ("this_offset", "this_length", "source_offset", "source_length")
    truth = [("x", "y", (0, 100, 50, 100)), ("x", "z", (300, 80, 0, 90)), ("w", "z", (10, 40, 20, 40))]
    places = [{"suspicious": a, "source": b, **dict(zip(names, case, strict=True))} for a, b, case in truth]
    write_rows(folder / "truth.jsonl", places)
    found = [
        ("x", "y", 10, 60, 60, 110),
        ("x", "y", 55, 110, 105, 160),
        ("x", "z", 310, 380, 10, 90),
        ("v", "z", 0, 9, 0, 9),
    ]
    keys = ("suspicious", "source", "a_start", "a_end", "b_start", "b_end")
    write_rows(folder / "found.jsonl", [{**dict(zip(keys, case, strict=True)), "similarity": 0.5} for case in found])
    for name, clusters in {"clusters": "aabbcd", "true-clusters": "aabccc"}.items():
        write_rows(folder / f"{name}.jsonl", [{"id": f"d{n}", "cluster": c} for n, c in enumerate(clusters)])


def write_prose(seed: str, sentences: int) -> str:
    """Sentences that no other seed gives."""
    random = Random(f"prose {seed}")
    return " ".join(write_sentence(random) for _ in range(sentences))


def write_sentence(random: Random) -> str:
    """A sentence without a meaning, whose words are as frequent and as rare as those of English."""
    words = [write_word(random) for _ in range(6 + int(random.random() * 16))]
    marks = ["," * (random.random() < 0.08) for _ in words[1:]] + ["."]
    return " ".join(map("".join, zip(words, marks, strict=True))).capitalize()


def write_word(random: Random) -> str:
    chance = random.random()
    if chance < 0.5:
        return random.choice(FUNCTION_WORDS)
    if chance < 0.7:
        return random.choice(random.choice([NOUNS, ADJECTIVES, VERBS]))
    return random.choice(["", "", "un", "over", "fore"]) + random.choice(NOUNS + ADJECTIVES) + random.choice(ENDINGS)


def write_chinese(seed: str, length: int) -> str:
    random = Random(f"chinese {seed}")
    return "".join("，。"[random.random() < 0.4] if n % 9 == 8 else random.choice(CHINESE) for n in range(length))


def write_arabic(seed: str, words: int) -> str:
    random = Random(f"arabic {seed}")
    starts, ends = ["", "", "ال", "و", "بال", "لل", "ف"], ["", "", "", "ه", "ها", "ين", "ات"]
    return " ".join(random.choice(starts) + random.choice(ARABIC) + random.choice(ends) for _ in range(words))


def write_functions(seed: str) -> str:
    """Four short functions in Python."""
    random, functions = Random(f"code {seed}"), []
    for _ in range(4):
        name, value, other = random.choice(VERBS), random.choice(NOUNS), random.choice(NOUNS)
        body = random.choice(["[-1]", ".strip()", " + 1", " * 2"])
        lines = [
            f"def {name}_{value}({value}, {other}=None):",
            f"    if {other} is None:",
            f"        return {value}{body}",
        ]
        functions.append("\n".join(["", "", *lines, f"    return {name}({value}, {other})", ""]))
    return "".join(functions)


def change_words(text: str, seed: str, rate: float) -> str:
    """The text with other words in the place of about a part of its own."""
    random = Random(f"change {seed}")
    return " ".join(random.choice(NOUNS) if random.random() < rate else word for word in text.split(" "))


def misread(text: str, seed: str, percent: int) -> str:
    """The text with a percentage of its letters misread."""
    random, wrong = Random(f"misread {seed} {percent}"), {"e": "c", "i": "l", "h": "b", "n": "u", "s": "f", "o": "0"}
    return "".join(wrong.get(c, c + "-" * (c == "t")) if 100 * random.random() < 2 * percent else c for c in text)


def join_paragraphs(*paragraphs: str) -> str:
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_table(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)


def write_csv(path: Path, rows: Sequence[dict[str, Any]], delimiter: str = ",") -> None:
    lines = io.StringIO()
    writer = csv.DictWriter(lines, list(rows[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, lines.getvalue())
