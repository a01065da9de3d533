"""The cases: commands that are run one after the other in a folder that holds the inputs."""

from typing import NamedTuple


class Case(NamedTuple):
    """Commands of ``ibidem``.

    Attributes:
        given: commands that only prepare; what they print and write is not recorded.
        at_terminal: whether standard output is a terminal.
    """

    commands: tuple[str, ...]
    given: tuple[str, ...] = ()
    at_terminal: bool = False


BOOKS = "index books -o books.ibidem"
CHINESE = "index chinese.jsonl -o chinese.ibidem --tokenizer characters:2 --max-length 80"
REUSE = "reuse books -o run --format jsonl"

CASES = {
    "add-remove-merge": Case(
        (
            "add books.ibidem notices.jsonl",
            "add books.ibidem batches/1.parquet",
            "remove books.ibidem n3 bruno.txt",
            "info books.ibidem",
            "search books.ibidem letter.txt --no-text",
            "merge books.ibidem",
            "info books.ibidem",
            "check books.ibidem",
            "search books.ibidem letter.txt --no-text",
        ),
        (BOOKS,),
    ),
    "advise": Case(
        (
            "advise reuse latin",
            "advise align books notices.jsonl",
            "advise dedup ocr.jsonl --json",
            "advise index chinese.jsonl",
        )
    ),
    "advise-terminal": Case(("advise reuse latin", "advise dedup logs.jsonl"), at_terminal=True),
    "align-arabic": Case(
        (
            "index arabic.csv -o arabic.ibidem --normalize arabic-light",
            "align --index arabic.ibidem arabic.csv --min-pair-length 10",
        )
    ),
    "align-books": Case(
        (
            "align letter.txt books/anna.txt",
            "align books/anna.txt books/late/david.txt --units sentence",
            "align books/anna.txt books/clara.txt --threshold 0.6 --min-pair-length 20 --no-text",
            "align books/bruno.txt books/late/felix.txt --ignore sheet.txt --no-summaries --no-text",
        )
    ),
    "align-code": Case(
        (
            "align code/ranges.py code/tools.py",
            "align code/ranges.py code/spans.py",
            "align code/tools.py code/other.py",
        )
    ),
    "align-index": Case(
        (
            "align --index books.ibidem letter.txt quotes.jsonl",
            "align --index books.ibidem essay.txt --html essay.html",
        ),
        (BOOKS,),
    ),
    "align-latin": Case(
        (
            "align latin/old.txt latin/new.txt",
            "align latin/old.txt latin/new.txt --normalize latin --shares",
            "align latin/old.txt latin/new.txt --normalize auto --table lines.csv --apparatus edition.xml",
        )
    ),
    "align-pairs": Case(
        (
            "align --documents ocr.jsonl --pairs pairs.jsonl",
            "align --documents ocr.jsonl --pairs pairs.jsonl --shares --no-text",
        )
    ),
    "align-poem": Case(
        (
            "align poem/1890.txt poem/1922.txt --units line --min-pair-length 5",
            "align poem/1890.txt poem/1922.txt --shares --quotations 5",
            "align poem/1890.txt poem/1922.txt --table lines.csv --apparatus edition.xml --html poem.html",
        )
    ),
    "align-terminal": Case(
        (
            "align letter.txt books/anna.txt",
            "align letter.txt books/anna.txt --shares",
            "align unrelated/one.txt unrelated/two.txt",
            "align --index books.ibidem essay.txt",
        ),
        (BOOKS,),
        at_terminal=True,
    ),
    "align-unrelated": Case(("align unrelated/one.txt unrelated/two.txt", "align essay.txt books/edith.txt.gz")),
    "decontaminate-annotate": Case(("decontaminate training --evals evals -o out --action annotate --json",)),
    "decontaminate-audit": Case(
        ("decontaminate training --evals evals --audit --plants 1 --sample 12 --seed 1 -o audited",)
    ),
    "decontaminate-audit-terminal": Case(
        ("decontaminate training --evals evals --audit --plants 1 --sample 12",), at_terminal=True
    ),
    "decontaminate-cut": Case(("decontaminate training --evals evals -o out --action cut --source url",)),
    "decontaminate-mask": Case(("decontaminate training --evals evals -o out --action mask",)),
    "decontaminate-remove": Case(
        (
            "decontaminate books --evals more-evals.jsonl --question prompt --answer target -o none --action remove "
            "--format parquet",
            "decontaminate training --evals evals -o out --action remove --threshold 0.8 --format csv",
        )
    ),
    "decontaminate-report": Case(
        (
            "decontaminate training --evals evals -o out --html leaks.html",
            "decontaminate books --evals quotes.jsonl --question text -o books.leaks",
            "decontaminate chinese.jsonl --evals chinese.jsonl --question text --tokenizer characters -o chinese.leaks",
        )
    ),
    "decontaminate-update": Case(
        ("decontaminate training training-more.jsonl --update first -o second",),
        ("decontaminate training --evals evals -o first",),
    ),
    "dedup-against": Case(
        (
            "dedup batches/1.parquet -o first --against seen.ibidem --add",
            "dedup batches/2.csv -o second --against seen.ibidem --add --json",
            "dedup week.jsonl.gz -o third --against seen.ibidem --against-only",
            "info seen.ibidem",
            "check seen.ibidem",
        )
    ),
    "dedup-arabic": Case(
        ("dedup arabic.csv chinese.jsonl -o out --shingle characters:3 --threshold 0.2 --normalize arabic-light",)
    ),
    "dedup-batches": Case(("dedup batches week.jsonl.gz -o out --keep min(year) --threshold 0.7",)),
    "dedup-books": Case(
        ("dedup books -o out --threshold 0.2 --shingle words:2", "dedup code -o code.out --threshold 0.5")
    ),
    "dedup-ocr": Case(
        (
            "dedup ocr.jsonl -o out --shingle characters:5 --threshold 0.25 --cluster-mode connected --json",
            "dedup ocr.jsonl -o html.out --html ocr.html",
        )
    ),
    "dedup-pages": Case(("dedup pages.jsonl -o out",)),
    "dedup-pages-keep": Case(
        (
            "dedup pages.jsonl -o longest --keep longest --threshold 0.6",
            "dedup pages.jsonl -o score --keep max(score),min(year) --shingle words:3",
        )
    ),
    "dedup-passages": Case(
        (
            "dedup books -o out --passages --min-length 20",
            "dedup logs.jsonl -o logs.out --passages --min-length 12 --boundary lines --action mask",
        )
    ),
    "dedup-passages-notices": Case(
        ("dedup notices.jsonl -o out --passages --min-length 20 --action annotate --ignore sheet.txt --json",)
    ),
    "errors": Case(
        (
            "index missing.jsonl -o missing.ibidem",
            "index pages.jsonl -o pages.ibidem --text body",
            "search missing.ibidem letter.txt",
            "add books.ibidem books",
            "remove books.ibidem nobody.txt",
            "search books.ibidem letter.txt --threshold 2",
            "serch books.ibidem letter.txt",
            "align letter.txt",
            "dedup pages.jsonl -o out --keep max(colour)",
            "dedup pages.jsonl -o out --shingle words:0",
            "reuse books",
            "reuse books -o out --date year",
            "reuse broken.jsonl -o out",
            "reuse broken.jsonl -o out --on-error skip --format jsonl",
            "decontaminate training -o out",
            "decontaminate training --evals letter.txt -o out",
            "trace outputs.jsonl --index letter.txt",
            "evaluate found.jsonl missing.jsonl",
            "merge letter.txt",
        ),
        (BOOKS,),
    ),
    "evaluate": Case(
        (
            "evaluate found.jsonl truth.jsonl",
            "evaluate found.jsonl truth.jsonl --measure positions --side suspicious --average macro",
            "evaluate found.jsonl truth.jsonl --measure pairs",
            "evaluate clusters.jsonl true-clusters.jsonl",
            "evaluate run/pan run/pan",
        ),
        (f"{REUSE} --also pan",),
    ),
    "evaluate-terminal": Case(("evaluate found.jsonl truth.jsonl",), at_terminal=True),
    "index": Case(
        (
            BOOKS,
            "info books.ibidem",
            "check books.ibidem",
            CHINESE,
            "info chinese.ibidem",
            "index pages.jsonl -o pages.ibidem --idf smooth --min-length 10 --max-length 60",
            "info pages.ibidem",
            "index batches week.jsonl.gz -o set.ibidem --family set --tokenizer characters:5",
            "index batches -o set.ibidem --family set --tokenizer characters:5",
            "info set.ibidem",
        )
    ),
    "report": Case(
        (
            "report run -o run.html --documents books",
            "report run -o anonymous.html --documents books --anonymous --key key.csv --language de --title Bericht",
            "report matches.jsonl -o matches.html --index books.ibidem --no-texts",
        ),
        (BOOKS, REUSE, "search books.ibidem quotes.jsonl ocr.jsonl > matches.jsonl"),
    ),
    "reuse-against": Case(
        (
            "reuse quotes.jsonl outputs.jsonl --against books.ibidem -o out --format jsonl",
            "reuse ocr.jsonl --against books -o files --format csv --min-pair-length 20",
        ),
        (BOOKS,),
    ),
    "reuse-arabic": Case(("reuse arabic.csv -o out --normalize auto --date date --format csv --texts",)),
    "reuse-books": Case(("reuse books -o out --texts", "reuse books --explain anna.txt bruno.txt")),
    "reuse-books-within": Case(
        ("reuse quotes.jsonl books.ibidem -o out --format csv", "reuse books -o in --within --format jsonl"), (BOOKS,)
    ),
    "reuse-chinese": Case(("reuse chinese.jsonl -o out --tokenizer characters --recall 1 --format jsonl",)),
    "reuse-code": Case(("reuse code -o out --format jsonl --min-pair-length 15",)),
    "reuse-exports": Case(
        (
            "reuse books -o out --also graphml --also web-annotation --also pan --also tei",
            "reuse books -o more --also passim --also textpair --also kitab",
        )
    ),
    "reuse-logs": Case(("reuse logs.jsonl -o out --format jsonl",)),
    "reuse-notices": Case(
        (
            "reuse notices.jsonl -o out --format jsonl --html notices.html",
            "reuse notices.jsonl -o with --format csv --keep-boilerplate --series author --columns author",
            "reuse notices.jsonl -o without --format csv --ignore sheet.txt --phrases phrases.txt",
        )
    ),
    "reuse-pages": Case(("reuse pages.jsonl -o out --date year --columns site --format csv --threshold 0.6",)),
    "reuse-terminal": Case(("reuse books -o out", "reuse books --explain anna.txt clara.txt"), at_terminal=True),
    "reuse-unrelated": Case(("reuse unrelated -o out --format jsonl",)),
    "reuse-update": Case(
        ("reuse books essay.txt ocr.jsonl --update run -o out --format jsonl",),
        (REUSE,),
    ),
    "search-books": Case(
        (
            "search books.ibidem letter.txt quotes.jsonl",
            "search books.ibidem ocr.jsonl --threshold 0.5 --select longest --limit 2 --no-text",
            "search books.ibidem quotes.jsonl --family set --min-length 5 --max-length 30 --no-text",
        ),
        (BOOKS,),
    ),
    "search-chinese": Case(
        (
            "search chinese.ibidem sentences.jsonl --threshold 0.4",
            "search chinese.ibidem chinese.jsonl sentences.jsonl --select maximal --limit 3 --no-text",
        ),
        (CHINESE,),
    ),
    "search-documents": Case(
        (
            "index books essay.txt -o known.ibidem --documents --threshold 0.05 --shingle words:2",
            "search known.ibidem letter.txt outputs.jsonl unrelated",
            "search known.ibidem essay.txt --threshold 0.3 --limit 1",
            "search known.ibidem letter.txt --threshold 0.01",
            "search known.ibidem letter.txt --select all",
            "index chinese.jsonl -o chinese.ibidem --documents --shingle characters:3 --threshold 0.1 -k 64",
            "search chinese.ibidem sentences.jsonl chinese.jsonl --limit 2",
            "info chinese.ibidem",
            "index books -o books.ibidem --seed 3",
        )
    ),
    "search-documents-terminal": Case(
        ("search known.ibidem letter.txt essay.txt", "search known.ibidem unrelated --threshold 0.5"),
        ("index books essay.txt -o known.ibidem --documents --threshold 0.05 --shingle words:2",),
        at_terminal=True,
    ),
    "search-parts": Case(
        (
            "search books.ibidem essay.txt outputs.jsonl --parts --no-text",
            "search books.ibidem essay.txt --no-parts",
            "search books.ibidem letter.txt --ignore sheet.txt --select all --limit 5 --no-text",
            "search books.ibidem notices.jsonl --ignore sheet.txt --select document --html notices.html",
        ),
        (BOOKS,),
    ),
    "search-sketches": Case(
        (
            "index books -o books.ibidem --sketch minhash -k 32",
            "search books.ibidem letter.txt --no-text",
            "search books.ibidem letter.txt --threshold 0.5 --verify",
            "search books.ibidem letter.txt --limit 3",
            "index books -o bins.ibidem --sketch oph -k 16 --family set --min-length 16",
            "search bins.ibidem letter.txt --threshold 0.7 --select all --no-text",
            "info bins.ibidem",
        )
    ),
    "search-terminal": Case(
        ("search books.ibidem letter.txt", "search books.ibidem quotes.jsonl --limit 1"), (BOOKS,), at_terminal=True
    ),
    "search-weighted": Case(
        (
            "search pages.ibidem week.jsonl.gz --no-text",
            "search pages.ibidem week.jsonl.gz --tf logarithmic --idf standard --threshold 0.8 --no-text",
        ),
        ("index pages.jsonl -o pages.ibidem --idf smooth --min-length 10 --max-length 60",),
    ),
    "trace": Case(
        (
            "trace outputs.jsonl --index books.ibidem",
            "trace outputs.jsonl letter.txt --index books.ibidem --verbatim 12 --threshold 0.7 -o out --html out.html",
        ),
        (BOOKS,),
    ),
    "trace-terminal": Case(("trace outputs.jsonl --index books.ibidem",), (BOOKS,), at_terminal=True),
}
