"""Make an index of passages, or of documents, to search.

INPUT is a file, a folder, a glob, a URL, or - for JSON lines on standard input. JSON lines, Parquet, Arrow, CSV and TSV
hold a document in each record, and so does a .json file that holds an array. Any other file is one document of plain
text, and its path is the id. Each may be compressed (.gz, .zst, .bz2, .xz).

Searches find passages of --min-length to --max-length tokens, and compare them by --family, --tf and --idf; a search
can choose others.

With --sketch it is an index of the min-hashes of all passages, as the papers on near-duplicate text alignment have it:
searches find what is estimated to be similar, by the measure and the lengths of the index.

With --documents it is an index of whole documents: a search says which of them a text is, or a version of, by the share
of their shingles that agree.

INPUT and INDEX may be URLs of object stores (s3://, gs://), here and in all other commands.

Examples:

    ibidem index books -o books.ibidem
    ibidem index poems.jsonl --text verse --id title -o poems.ibidem --min-length 16
    ibidem index books --tokenizer characters:5 --family set -o characters.ibidem
    ibidem index books -o sketches.ibidem --sketch minhash -k 32
    ibidem index books -o documents.ibidem --documents --threshold 0.05
    cat poems.jsonl | ibidem index - --text verse -o piped.ibidem --family weighted --idf smooth
"""

from typing import TYPE_CHECKING, Any, get_args

import click

from ibidem.arguments import SketchName
from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.indexes import find_class, list_methods, take_arguments
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.reports import report_addition
from ibidem.cli.terminal import progress, tell
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem.text import Tokenizer
    from ibidem.weights import DocumentFrequencies


_CASES = ("", "with --sketch", "with --documents")
"""When each kind of index is made."""

_OF_TOKENS = ("passages", "sketches")
_OTHERS = {
    "tokenizer_file": _OF_TOKENS,
    "tokenizer_merges": _OF_TOKENS,
    "ray": ("passages",),
    "work": ("passages",),
}
"""The kinds of index that have options which are no arguments of ``build``."""


@command(__doc__, interrupted="no index was made", list_outputs=lambda arguments, files: ["an index"])
@options.inputs_argument
@click.option("-o", "--output", metavar="INDEX", required=True, type=OutputPath(), help="Folder of the new index.")
@options.reading
@options.duplicate_ids("error")
@click.option(
    "--tokenizer",
    metavar="NAME",
    default="words",
    show_default=True,
    help="words, characters, bpe, or a plugin; characters:5 for each 5 characters in a row as one token.",
)
@options.normalize
@click.option("--tokenizer-file", metavar="FILE", type=InputPath(), help="For bpe: tokenizer.json or encoder.json.")
@click.option("--tokenizer-merges", metavar="FILE", type=InputPath(), help="For bpe with encoder.json: vocab.bpe.")
@click.option(
    "--sketch",
    type=click.Choice(get_args(SketchName)),
    help="Keep min-hashes of all passages: by many functions (minhash), or by the bins of one (oph).",
)
@click.option("--documents", is_flag=True, help="Index whole documents, by their shingles.")
@options.from_functions(list_methods("build", _CASES))
@click.option(
    "--frequencies", metavar="FILE", type=InputPath(), help="For --idf: document frequencies of another collection."
)
@options.max_line
@options.dry_run
@options.cluster
@options.resources
def index(
    inputs: tuple[str, ...],
    output: str,
    documents: bool,
    ray: str | None,
    work: str | None,
    **settings: Any,
) -> None:
    """Build the index."""
    from ibidem.corpus import ReadingProgress, read
    from ibidem.resources import Resources

    if documents and settings["sketch"] is not None:
        raise click.UsageError("--sketch and --documents make indexes of two kinds: give one of them")
    kind = "documents" if documents else "passages" if settings["sketch"] is None else "sketches"
    columns, arguments = options.take_reading(settings), take_arguments(kind, ["build"], settings, _OTHERS)
    if not documents:
        arguments |= _make_tokens(settings)
    if ray is not None:
        _index_on_ray(inputs, output, ray, work, columns, arguments)
        return
    if work is not None:
        raise click.UsageError("--work is for an index that is made on a cluster: give --ray, too")
    reading = ReadingProgress()
    size = Resources.of(arguments["memory"], None, None).batch_bytes
    batches = read(inputs, **columns, batch_bytes=size, progress=reading)
    with progress(reading) as on_progress:
        made_index = find_class(kind).build(output, batches, progress=on_progress, **arguments)
    with made_index:
        report_addition(made_index, output)


def _index_on_ray(
    inputs: tuple[str, ...],
    output: str,
    ray: str,
    work: str | None,
    columns: dict[str, Any],
    arguments: dict[str, Any],
) -> None:
    """Build an index of passages on a Ray cluster."""
    from ibidem import PassageIndex
    from ibidem.corpus import ReadingProgress
    from ibidem.corpus.rows import Columns
    from ibidem.options import list_arguments
    from ibidem.passages.configuration import Configuration
    from ibidem.passages.index_files import index_files
    from ibidem.text import keep_tokenizer

    failures, tokenizer = columns.pop("failures"), arguments["tokenizer"]
    declared = {name: arguments[name] for name in list_arguments(PassageIndex.build) if name in arguments}
    reading = ReadingProgress()
    with progress(reading) as on_progress:
        index_files(
            inputs,
            output,
            Configuration.of(keep_tokenizer(tokenizer)[0], **declared),
            tokenizer,
            Columns.of(**columns),
            frequencies=arguments.get("frequencies"),
            memory=arguments["memory"],
            threads=arguments.get("threads"),
            ray=ray,
            work=work,
            reading=reading,
            failures=failures,
            progress=on_progress,
        )
    with PassageIndex.open(output) as made_index:
        contents = made_index.info()
    documents, tokens = format_count(contents["documents"], "document"), format_count(contents["tokens"], "token")
    tell(f"{output}: {documents} with {tokens} indexed")


def _make_tokens(settings: dict[str, Any]) -> dict[str, Any]:
    """The tokenizer, which has the normalization of its own, and the document frequencies that the options ask for."""
    files = {"file": settings["tokenizer_file"], "merges": settings["tokenizer_merges"]}
    tokenizer = _tokenizer(settings["tokenizer"], settings["normalize"], **files)
    return {
        "tokenizer": tokenizer,
        "normalize": (),
        "frequencies": _frequencies(settings["frequencies"], tokenizer),
    }


def _tokenizer(spec: str, normalize: tuple[str, ...], **files: str | None) -> "Tokenizer":
    from ibidem.text import make_tokenizer

    named_files: dict[str, Any] = {option: file for option, file in files.items() if file is not None}
    name = spec.partition(":")[0]
    if named_files and name != "bpe":
        raise click.UsageError(f"--tokenizer-{next(iter(named_files))} is for --tokenizer bpe, not for {name}")
    if name == "bpe" and "file" not in named_files:
        raise click.UsageError("--tokenizer bpe needs --tokenizer-file, a tokenizer.json or encoder.json")
    return make_tokenizer(spec, normalize=normalize, **named_files)


def _frequencies(file: str | None, tokenizer: "Tokenizer") -> "DocumentFrequencies | None":
    from ibidem.weights import DocumentFrequencies

    return None if file is None else DocumentFrequencies.load(file, tokenizer)
