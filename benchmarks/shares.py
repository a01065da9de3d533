"""Do shares of words tell copies from texts that only have a subject in common?

    python benchmarks/shares.py [--quick] [--csv FILE]

Each collection is given to ``find_reuse`` as it is, and every two of its documents are a pair, also those of which
nothing is reported, whose shares are 0. *identical* and *similar* are the shares of the shorter document of a pair.

- *answers*: the corpus of Clough and Stevenson (Language Resources and Evaluation 45, 2011): 95 answers to five
  questions and the pages of Wikipedia that some were copied from. Pairs are answers and the page of their question, by
  how the answers were written (*cut*, *light*, *heavy*, *non*), and two *non* answers to one question (*non, non*).
- *descriptions*: 200 texts of one lighthouse. Each is put together on its own, from statements in a drawn order, each
  in one of hundreds of wordings, so no two texts were copied; all say the same. A wording is put together from four
  phrases, each one of four, so two texts say a phrase of three words or more in the same words by chance: of the pair
  with the greatest identical share, 65 of 145 words, such as "no one at all has", "since it became automatic except for
  painters". Of these, 46 stand in another order, as they hardly do in a copy.
- *programs*: 10 variants of 20 modules of Python's library, cut to about the same length. In each variant names are
  changed, functions and methods stand in another order, and statements are written in another way. *auc* is the
  probability that two variants of one program have a larger share than two of different ones.

*boilerplate* says whether passages that many documents have are reported, too (``keep_boilerplate``).
"""

import ast
import random
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from collections_of_text import rows_of
from report import Report, Row

from ibidem import Reuse, find_reuse

SEED = 7

Texts = dict[str, str]


class Shares(NamedTuple):
    """The shares of the shorter document, by pair; of other pairs both are 0."""

    of: dict[frozenset[str], tuple[float, float]]

    def take(self, pairs: Iterable[frozenset[str]]) -> np.ndarray:
        """Identical and similar shares of pairs, float64 [N, 2]."""
        return np.array([self.of.get(pair, (0.0, 0.0)) for pair in pairs]).reshape(-1, 2)


def measure(texts: Texts, keep_boilerplate: bool) -> Shares:
    return shares_of(find_reuse(texts.items(), keep_boilerplate=keep_boilerplate))


def shares_of(found: Reuse) -> Shares:
    """The shares of all pairs of documents that were found."""
    shares = {}
    for row in found.document_pairs.to_pylist():
        side = "a" if row["a_words"] <= row["b_words"] else "b"
        shares[frozenset((row["a"], row["b"]))] = (row[f"{side}_identical_share"], row[f"{side}_similar_share"])
    return Shares(shares)


def auc(same: np.ndarray, different: np.ndarray) -> Row:
    """The probability that a share of ``same`` is larger than one of ``different``, half of it if they are equal.

    Both are float64 [N, 2], identical and similar shares.
    """
    aucs = {}
    for at, name in enumerate(("identical", "similar")):
        below, up_to = (np.searchsorted(np.sort(different[:, at]), same[:, at], side) for side in ("left", "right"))
        aucs[f"auc {name}"] = f"{float((below + up_to).mean() / 2 / len(different)):.4f}"
    return aucs


def describe(collection: str, kind: str, shares: Shares, pairs: Sequence[frozenset[str]], boilerplate: str = "") -> Row:
    both = shares.take(pairs)
    return {
        "collection": collection,
        "boilerplate": boilerplate,
        "pairs of documents": kind,
        "pairs": len(pairs),
        "reported": sum(pair in shares.of for pair in pairs),
        "identical": f"{both[:, 0].mean():.4f}",
        "greatest": f"{both[:, 0].max():.4f}",
        "similar": f"{both[:, 1].mean():.4f}",
        "greatest similar": f"{both[:, 1].max():.4f}",
        "auc identical": "",
        "auc similar": "",
    }


# The answers


def answers() -> Iterator[Row]:
    rows = list(rows_of("clough-stevenson"))
    texts = {row["id"]: row["text"] for row in rows}
    pages = {row["task"]: row["id"] for row in rows if row["category"] == "original"}
    shares = measure(texts, keep_boilerplate=True)
    for category in ("cut", "light", "heavy", "non"):
        own = [frozenset((row["id"], pages[row["task"]])) for row in rows if row["category"] == category]
        yield describe("answers", category, shares, own, boilerplate="kept")
    non = [(row["task"], row["id"]) for row in rows if row["category"] == "non"]
    both = [frozenset((a, b)) for (task, a), (other, b) in combinations(non, 2) if task == other]
    yield describe("answers", "non, non", shares, both, boilerplate="kept")


# Descriptions of one lighthouse: what is said, and the words for it

STATEMENTS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("The lighthouse", "This tower", "The old light", "It"),
        ("was built", "was put up", "was raised", "went up"),
        ("in 1868", "a good century and a half ago", "in the eighteen sixties", "under the old harbour board"),
        ("", "by masons from the town", "after three ships were lost", "at the expense of the merchants"),
    ),
    (
        ("It", "The tower", "The whole building", "The structure"),
        ("stands", "rises", "reaches up", "measures"),
        ("thirty metres", "about a hundred feet", "as high as a church", "some thirty metres"),
        ("above the rocks", "over the sea", "from the ground to the lamp", "from its foot"),
    ),
    (
        ("Its walls", "The stones", "The walls of the tower", "The blocks"),
        ("are", "were cut from", "consist of", "were made of"),
        ("grey granite", "local stone", "granite from the quarry inland", "hard grey rock"),
        ("", "two metres thick at the foot", "and fitted without mortar", "brought there by barge"),
    ),
    (
        ("A staircase", "A winding stair", "A spiral of steps", "A narrow stairway"),
        ("leads", "climbs", "takes visitors", "goes up"),
        ("to the lantern", "to the gallery", "from the door to the lamp", "past four rooms"),
        ("in 152 steps", "which has more than a hundred and fifty steps", "and makes one dizzy", "with an iron rail"),
    ),
    (
        ("The lamp", "Its light", "The beam", "The great lens"),
        ("can be seen", "shows", "reaches", "is visible"),
        ("from twenty miles away", "far beyond the bay", "for thirty kilometres", "to ships out at sea"),
        ("on a clear night", "unless there is fog", "when the weather is good", "in all directions"),
    ),
    (
        ("At first", "In the early days", "Originally", "To begin with"),
        ("oil was burnt there", "the keepers burnt oil", "the flame was fed with whale oil", "an oil lamp was used"),
        ("", "until gas came", "as everywhere on the coast", "and the smoke blackened the glass"),
        ("", "for forty years", "before electricity", "until the war"),
    ),
    (
        ("Electricity", "An electric lamp", "A modern bulb", "Electric light"),
        ("came", "replaced the flame", "was installed", "took over"),
        ("in 1931", "between the wars", "in the thirties", "ninety years ago"),
        ("", "and needed fewer hands", "with a cable from the village", "to everybody's relief"),
    ),
    (
        ("Three keepers", "The keepers", "A keeper with two assistants", "The men in charge"),
        ("lived there", "had their home in the tower", "took turns at watching", "stayed for months at a time"),
        ("with their families", "far from everybody", "in the small house beside it", "winter and summer"),
        ("", "and kept a garden", "and had goats", "and wrote down every ship"),
    ),
    (
        ("Nobody", "No keeper", "No one at all", "Not a single person"),
        ("has lived there", "has been needed", "has kept watch", "has stayed overnight"),
        ("since 1987", "for more than thirty years", "since it became automatic", "since computers switch the lamp"),
        ("", "and the house is empty", "except for painters", "but gulls"),
    ),
    (
        ("A storm", "The gale of 1903", "A terrible winter storm", "The worst weather on record"),
        ("broke", "smashed", "carried off", "tore away"),
        ("the windows of the lantern", "part of the roof", "the landing stage", "the boat house"),
        ("", "and the light went out for a night", "without hurting anybody", "as the log book says"),
    ),
    (
        ("Today", "Nowadays", "At present", "In our time"),
        ("visitors may climb it", "it is a museum", "tourists come by the hundred", "guided tours take place"),
        ("on Sundays", "from May to September", "whenever the tide allows", "for a small fee"),
        ("", "and see the old lens", "with a view of the islands", "and school classes, too"),
    ),
    (
        ("The name", "What it is called", "Its name", "The word"),
        ("comes from", "goes back to", "recalls", "is that of"),
        ("a reef nearby", "a saint of fishermen", "the cape where it was built", "a wrecked brig"),
        ("", "as an old chart shows", "according to the priest", "though others doubt it"),
    ),
    (
        ("Fishermen", "People of the village", "Sailors", "Those who fish here"),
        ("still steer by it", "trust it more than any satellite", "look for its flash", "know its rhythm by heart"),
        ("when they come home", "at dusk", "in rough weather", "before they enter the harbour"),
        ("", "as their fathers did", "and always will", "out of habit"),
    ),
    (
        ("Every ten seconds", "Twice in fifteen seconds", "At regular intervals", "Again and again"),
        ("it flashes", "a white flash appears", "the beam sweeps by", "its signal is given"),
        (
            "so that crews know which light it is",
            "unlike the light to the north",
            "as the list of lights says",
            "which no other tower does",
        ),
        ("", "all night long", "from sunset on", "without a pause"),
    ),
    (
        ("Paint", "White paint", "A broad red band", "The colouring"),
        ("makes it visible", "marks it", "protects it", "sets it off"),
        ("by day", "against the cliff", "from salt and rain", "before the dark rock"),
        ("", "and is renewed every five years", "at great cost", "which climbers apply on ropes"),
    ),
    (
        ("The ground", "The headland", "That piece of coast", "The place"),
        ("is dangerous", "is full of rocks", "has claimed many ships", "was feared"),
        ("because of the currents", "at low water", "wherever one looks", "by every captain"),
        ("", "even now", "before there was a light", "in the days of sail"),
    ),
)


def description(drawn: random.Random) -> str:
    """Twelve of the statements, in a drawn order and drawn words."""
    said = drawn.sample(STATEMENTS, 12)
    return " ".join(" ".join(part for part in map(drawn.choice, statement) if part) + "." for statement in said)


def descriptions(number: int) -> Iterator[Row]:
    drawn = random.Random(SEED)
    texts = {f"text {at:03}": description(drawn) for at in range(number)}
    pairs = [frozenset(pair) for pair in combinations(texts, 2)]
    for kept in (False, True):
        yield describe(
            "descriptions", "independent", measure(texts, kept), pairs, boilerplate="kept" if kept else "left out"
        )


# Variants of programs

MODULES = (
    "argparse",
    "bdb",
    "calendar",
    "configparser",
    "csv",
    "difflib",
    "fractions",
    "ftplib",
    "gettext",
    "heapq",
    "imaplib",
    "ipaddress",
    "mailbox",
    "optparse",
    "pickletools",
    "plistlib",
    "sched",
    "shlex",
    "textwrap",
    "zipfile",
)
LENGTH = 4000
"""Characters of a program, about; it ends with a whole function."""


class Rename(ast.NodeTransformer):
    """Gives most of a program's own names others."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("name", "id", "attr", "arg"):
            if isinstance(value := getattr(node, field, None), str) and value in self.names:
                setattr(node, field, self.names[value])
        return node


class Rewrite(ast.NodeTransformer):
    """Writes statements in another way with the same meaning."""

    def __init__(self, drawn: random.Random) -> None:
        self.drawn = drawn

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if not isinstance(node.target, ast.Name) or self.drawn.random() < 0.4:
            return node
        return ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id), node.op, node.value))

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if node.orelse and self.drawn.random() < 0.6:
            return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        turned = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq}
        if len(node.ops) == 1 and type(node.ops[0]) in turned and self.drawn.random() < 0.6:
            return ast.Compare(node.comparators[0], [turned[type(node.ops[0])]()], [node.left])
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None or isinstance(node.value, ast.Name | ast.Constant) or self.drawn.random() < 0.5:
            return node
        return [ast.Assign([ast.Name("outcome")], node.value), ast.Return(ast.Name("outcome"))]


def reorder(body: list[ast.stmt], drawn: random.Random) -> list[ast.stmt]:
    """The statements with definitions in a drawn order, and their methods, too."""
    places = [at for at, node in enumerate(body) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    moved = drawn.sample(places, len(places))
    result = list(body)
    for place, source in zip(places, moved, strict=True):
        result[place] = body[source]
    for node in result:
        if isinstance(node, ast.ClassDef):
            node.body = reorder(node.body, drawn)
    return result


def program(name: str, length: int = LENGTH) -> str:
    """The first definitions of a module, of so many characters, without comments and docstrings."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and len(body) > 1
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            del body[0]
    kept: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            room = length - sum(map(len, kept))
            sizes = np.cumsum([len(ast.unparse(each)) for each in node.body])
            node.body = node.body[: max(1, int((sizes <= room).sum()))]
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and sum(map(len, kept)) < length:
            kept.append(ast.unparse(node))
    return "\n\n".join(kept)


def variant(text: str, drawn: random.Random) -> str:
    """The program with other names for most of its own, definitions in another order, and other statements."""
    tree = ast.parse(text)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg not in ("self", "cls")}
    changed = {name for name in sorted(own) if not name.startswith("__") and drawn.random() < 0.6}
    names = {
        name: "".join(drawn.choices("bcdfglmnprst", k=2))
        + drawn.choice("aeiou")
        + name[:1].strip("_")
        + str(drawn.randrange(100))
        for name in sorted(changed)
    }
    tree = Rewrite(drawn).visit(Rename(names).visit(tree))
    tree.body = reorder(tree.body, drawn)
    return ast.unparse(ast.fix_missing_locations(tree))


def programs(number: int, variants: int) -> Iterator[Row]:
    drawn = random.Random(SEED)
    texts = {f"{name} {at}": variant(program(name), drawn) for name in MODULES[:number] for at in range(variants)}
    pairs = [frozenset(pair) for pair in combinations(texts, 2)]
    same = [pair for pair in pairs if len({name.split()[0] for name in pair}) == 1]
    different = [pair for pair in pairs if len({name.split()[0] for name in pair}) == 2]
    for kept in (False, True):
        shares = measure(texts, kept)
        aucs = auc(shares.take(same), shares.take(different))
        for kind, chosen in (("one program", same), ("two programs", different)):
            yield describe("programs", kind, shares, chosen, boilerplate="kept" if kept else "left out") | aucs


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    rows = [] if quick else [*answers()]
    rows += descriptions(20 if quick else 200)
    rows += programs(3 if quick else 20, 2 if quick else 10)
    report.finish(rows)


if __name__ == "__main__":
    main()
