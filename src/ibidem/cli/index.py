"""Make an index of the passages of a collection.

INPUT is a file, a folder, a glob, a URL, or - for JSON lines on standard input. JSON lines, Parquet, Arrow, CSV and TSV
hold a document in each record, and so does a .json file that holds an array. Any other file is one document of plain
text, and its path is the id. Each may be compressed (.gz, .zst, .bz2, .xz).

Searches find passages of --min-length to --max-length tokens, and compare them by --family, --tf and --idf; a search
can choose others.

With --sketch it is an index of the min-hashes of all passages, as the papers on near-duplicate text alignment have it:
searches find what is estimated to be similar, by the measure and the lengths of the index.

INPUT and INDEX may be URLs of object stores (s3://, gs://), here and in all other commands.

Examples:

    ibidem index books -o books.ibidem
    ibidem index poems.jsonl --text verse --id title -o poems.ibidem --min-length 16
    ibidem index books --tokenizer characters:5 --family set -o characters.ibidem
    ibidem index books -o sketches.ibidem --sketch minhash -k 32
    cat poems.jsonl | ibidem index - --text verse -o piped.ibidem --family weighted --idf smooth
"""

from typing import TYPE_CHECKING, Any, get_args

import click

from ibidem.arguments import SketchName
from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.reports import report_addition
from ibidem.cli.terminal import progress, tell
from ibidem.counts import format_count
from ibidem.options import list_arguments

if TYPE_CHECKING:
    from ibidem.text import Tokenizer
    from ibidem.weights import DocumentFrequencies


SKETCH_OPTIONS = ("sketch", "num_hashes", "seed", "weight_units")
"""The options of an index of sketches alone; without ``--sketch`` none of the others makes sense."""

sketch_options = options.together(
    click.option(
        "--sketch",
        type=click.Choice(get_args(SketchName)),
        help="Keep min-hashes of all passages: by many functions (minhash), or by the bins of one (oph).",
    ),
    click.option("-k", "--num-hashes", metavar="K", type=int, help="With --sketch: functions, or bins.  [default: 16]"),
    click.option("--seed", metavar="N", type=int, help="With --sketch: seed of the hash functions.  [default: 0]"),
    click.option(
        "--weight-units", metavar="N", type=int, help="With --sketch oph: parts of a weight of 1 that are counted."
    ),
)


@command(__doc__, interrupted="no index was made")
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
@options.from_function("ibidem.passages.index:PassageIndex.build")
@sketch_options
@click.option(
    "--frequencies", metavar="FILE", type=InputPath(), help="For --idf: document frequencies of another collection."
)
@options.max_line
@options.cluster
@options.resources
def index(
    inputs: tuple[str, ...],
    output: str,
    ray: str | None,
    work: str | None,
    **settings: Any,
) -> None:
    """Build the index."""
    from ibidem import PassageIndex, SketchIndex
    from ibidem.corpus import ReadingProgress, read
    from ibidem.resources import Resources

    _require_options(settings)
    if ray is not None:
        _index_on_ray(inputs, output, ray, work, settings)
        return
    if work is not None:
        raise click.UsageError("--work is for an index that is made on a cluster: give --ray, too")
    columns, index_settings = options.take_reading(settings), make_settings(settings)
    build: Any = PassageIndex.build if settings["sketch"] is None else SketchIndex.build
    reading = ReadingProgress()
    size = Resources.of(index_settings["memory"], None, None).batch_bytes
    documents = read(inputs, **columns, batch_bytes=size, progress=reading)
    with progress(reading) as on_progress:
        made_index = build(output, documents, progress=on_progress, **index_settings)
    with made_index:
        report_addition(made_index, output)


def _index_on_ray(inputs: tuple[str, ...], output: str, ray: str, work: str | None, settings: dict[str, Any]) -> None:
    """Build the index on a Ray cluster."""
    from ibidem import PassageIndex
    from ibidem.corpus import ReadingProgress
    from ibidem.corpus.rows import Columns
    from ibidem.passages.configuration import Configuration
    from ibidem.passages.index_files import index_files
    from ibidem.text import keep_tokenizer

    if settings["sketch"] is not None:
        raise click.UsageError("--ray is for an index of passages, not for one of sketches")
    columns, chosen = options.take_reading(settings), make_settings(settings)
    failures, tokenizer = columns.pop("failures"), chosen["tokenizer"]
    declared = {name: chosen[name] for name in list_arguments(PassageIndex.build) if name in chosen}
    reading = ReadingProgress()
    with progress(reading) as on_progress:
        index_files(
            inputs,
            output,
            Configuration.of(keep_tokenizer(tokenizer)[0], **declared),
            tokenizer,
            Columns.of(**columns),
            frequencies=chosen.get("frequencies"),
            memory=chosen["memory"],
            threads=chosen.get("threads"),
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


def _require_options(settings: dict[str, Any]) -> None:
    """Refuse options that the kind of index does not have."""
    if settings["sketch"] is None:
        for name in SKETCH_OPTIONS:
            if settings[name] is not None:
                raise click.UsageError(f"--{name.replace('_', '-')} is for an index of sketches: give --sketch, too")


def make_settings(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``PassageIndex.build``, or ``SketchIndex.build``, for the options of the command."""
    settings = dict(arguments)
    settings["tokenizer"] = _tokenizer(
        settings["tokenizer"],
        settings.pop("normalize"),
        file=settings.pop("tokenizer_file"),
        merges=settings.pop("tokenizer_merges"),
    )
    settings["frequencies"] = _frequencies(settings["frequencies"], settings["tokenizer"])
    return {name: value for name, value in settings.items() if value is not None}


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
