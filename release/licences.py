"""Print the licence of each package that an installation of ibidem brings, extras included.

    python release/licences.py           a table, as docs/licences.md holds it
    python release/licences.py --check   fail if a licence is not one of those that let everybody use the package

Reads the packages of the environment that it runs in: it follows what ibidem asks for, from its metadata.
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution

PERMISSIVE = {
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "HPND", "ISC", "LLVM-exception", "MIT",
    "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib",
}  # fmt: skip
"""Identifiers of SPDX, and BSD where a package does not say which. MPL covers its own files and nothing beside them."""

WORDS = (
    (r"apache", "Apache-2.0"),
    (r"mozilla|mpl", "MPL-2.0"),
    (r"python software foundation|psf", "PSF-2.0"),
    (r"3-clause|new bsd|modified bsd", "BSD-3-Clause"),
    (r"2-clause|simplified bsd", "BSD-2-Clause"),
    (r"bsd", "BSD"),
    (r"\bmit\b", "MIT"),
    (r"\bisc\b", "ISC"),
    (r"unlicense", "Unlicense"),
)
"""What older metadata calls a licence."""


def find_packages(root: str) -> list[str]:
    """The names of the packages that a package needs, all extras included, and those that these need."""
    known: set[str] = set()
    open_names = [(root, True)]
    while open_names:
        name, extras = open_names.pop()
        try:
            needed = distribution(name).requires or []
        except PackageNotFoundError:  # of another system or another version of Python
            continue
        known.add(_normalize(name))
        for requirement in needed:
            wanted = _normalize(re.match(r"[\w.-]+", requirement)[0])  # type: ignore[index]
            if wanted not in known and (extras or "extra ==" not in requirement):
                open_names.append((wanted, False))
    return sorted(known - {_normalize(root)})


def read_licence(name: str) -> str:
    """The licence of an installed package, as an expression of SPDX where it can be told."""
    metadata = distribution(name).metadata
    if metadata["License-Expression"]:
        return str(metadata["License-Expression"])
    named = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if line.startswith("License ::")]
    stated = [*named, (metadata["License"] or "").strip().partition("\n")[0]]
    found = {
        spdx
        for text in stated
        for spdx in [next((spdx for words, spdx in WORDS if re.search(words, text, re.IGNORECASE)), None)]
        if spdx
    }
    if len(found) > 1:
        found.discard("BSD")
    return " OR ".join(sorted(found)) or "unknown"


def is_permissive(licence: str) -> bool:
    """Whether everybody may use what stands under an expression: each part of it that must be met is permissive."""
    parts = re.split(r"\s+(?:AND|WITH)\s+", licence)
    return all(any(name.strip("() ") in PERMISSIVE for name in re.split(r"\s+OR\s+", part)) for part in parts)


def _normalize(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    """Print the table, or judge."""
    licences = {name: read_licence(name) for name in find_packages("ibidem")}
    if "--check" in sys.argv:
        wrong = [f"{name}: {licence}" for name, licence in licences.items() if not is_permissive(licence)]
        if wrong:
            sys.exit("licences that need a look:\n" + "\n".join(wrong))
        return
    print("| package | version | licence |\n|---|---|---|")
    for name, licence in licences.items():
        print(f"| {name} | {distribution(name).version} | {licence} |")


if __name__ == "__main__":
    main()
