"""What ``ibidem.audit`` finds of gsm8k's test items planted in every form, and which forms are called leaks falsely.

    python benchmarks/audit.py [--quick] [--csv FILE] [--plants 50]

The training data are generated as in ``contamination_speed.py``: pages of 15 sentences, each drawn at random from web
pages and novels. The last rows are the reasons why plants were missed, or which that are no leak were called one.
"""

from collections import Counter

from collections_of_text import generated, rows_of
from contamination_speed import quick_sentences, read_sentences, stream_pages
from report import Report, Row

from ibidem import audit


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--plants", type=int, default=50, help="about how many of each form")
    options = report.options()
    if options.quick:
        sentences, size, plants = quick_sentences(), 200_000, 1
        questions = [{"question": " ".join(text.split()[:30])} for _, text in generated(30, 100)]
    else:
        sentences, size, plants = read_sentences(), 12_000_000, options.plants
        questions = list(rows_of("gsm8k-test"))
    pages = (page for number, page in stream_pages(size, sentences, sentences[:1]))
    found = audit(pages, questions, plants=plants)
    reasons = Counter((row["kind"], row["reason"]) for row in found.missed.to_pylist())
    rows: list[Row] = []
    for row in found.kinds.to_pylist():
        if row["words"] != "all":
            continue
        missed = {reason: count for (kind, reason), count in reasons.items() if kind == row["kind"]}
        rows.append(
            {
                "form": row["kind"],
                "planted": row["planted"],
                "found": "" if row["recall"] is None else row["found"],
                "recall": show(row, "recall"),
                "precision": show(row, "precision"),
                "false": row["false"],
                "missed": "; ".join(f"{count} {reason}" for reason, count in sorted(missed.items())),
            }
        )
    report.finish(rows)


def show(row: Row, name: str) -> str:
    """A share and its interval of 95 %."""
    if row[name] is None:
        return ""
    return f"{row[name]:.3f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"


if __name__ == "__main__":
    main()
