"""Do clusters of sketches, made in one pass, agree with clusters of exact resemblances?

    python benchmarks/papers/broder_clusters.py [--quick] [--csv FILE]

Broder's paper tells of clusters of the web at a resemblance of 50 %: sketches of Rabin fingerprints of 40 bits, put
into clusters greedily by a table of fingerprints (sections 1 and 4). Here the documents are those of
``article-extraction``, which hold the same articles as different programs took them from web pages; shingles are of 10
words. The truth is ``cluster_greedily``: the same greedy clustering, of all pairs by their exact resemblance,
computed on 64-bit shingles. *sketched* clusters are made by ``gather_sketches``, with the first sketch of a cluster
as its representative, or its most popular fingerprints.

*identical only* are the clusters of two or more whose documents all have the same shingles in the same order, which
Broder counts apart: 2.1 of his 3.6 million. Pairs are those of documents in one cluster. *merged* is the share of the
pairs of sketched clusters that are pairs of the exact ones, *kept* the share of those that are in sketched ones.
*bound* is the largest error of a resemblance by ids of so many bits, with a probability above 0.999 (section 4.1).
"""

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from figure import Report, Row, generated, rows_of

from ibidem.clusters import cluster_greedily
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.clusters import gather_sketches
from ibidem.sketches.rabin import resemblance_error
from ibidem.sketches.shingling import Shingling

WIDTH, BITS, THRESHOLD = 10, 40, 0.5
Labels = npt.NDArray[np.int64]
Elements = list[npt.NDArray[np.uint64]]


def exact_clusters(elements: Elements) -> Labels:
    """Greedy clusters of the exact resemblances of all pairs that share a shingle."""
    pairs, similarities = [], []
    holders: dict[int, list[int]] = {}
    for number, own in enumerate(elements):
        shared: dict[int, int] = {}
        for element in own.tolist():
            for other in holders.setdefault(element, []):
                shared[other] = shared.get(other, 0) + 1
            holders[element].append(number)
        for other, both in shared.items():
            similarity = both / (len(own) + len(elements[other]) - both)
            if similarity >= THRESHOLD:
                pairs.append((other, number))
                similarities.append(similarity)
    return cluster_greedily(np.array(pairs).reshape(-1, 2), similarities, len(elements)).labels


def pairs_of(labels: Labels) -> int:
    _, sizes = np.unique(labels, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())


def count_identical_only(labels: Labels, contents: Labels) -> int:
    """How many clusters of two or more hold documents of one content alone."""
    sizes = np.bincount(labels)
    distinct = np.unique(np.stack([labels, contents], axis=1), axis=0)[:, 0]
    return int(((sizes > 1) & (np.bincount(distinct, minlength=len(sizes)) == 1)).sum())


def compared(
    name: str, sketch: tuple[int, int], truth: tuple[Labels, Labels], found: Labels, seconds: float, bound: float
) -> Row:
    (size, modulus), (exact, contents) = sketch, truth
    both = pairs_of(found * (len(exact) + 1) + exact)
    sizes = np.unique(found, return_counts=True)[1]
    return {
        "representative": name,
        "sketch": size,
        "modulus": modulus,
        "documents": len(exact),
        "exact clusters": len(np.unique(exact)),
        "clusters": len(sizes),
        "of two or more": int((sizes > 1).sum()),
        "identical only": count_identical_only(found, contents),
        "merged": f"{both / max(1, pairs_of(found)):.4f}",
        "kept": f"{both / max(1, pairs_of(exact)):.4f}",
        "us a document": f"{1e6 * seconds / len(exact):.0f}",
        "bound": f"{bound:.1e}",
    }


def rows(texts: list[str]) -> Iterator[Row]:
    exact = exact_clusters([Shingling(WIDTH).elements(text) for text in texts])
    contents = np.unique([Shingling(WIDTH).shingles(text).tobytes() for text in texts], return_inverse=True)[1]
    rabin = Shingling(WIDTH, fingerprint=f"rabin:{BITS}")
    elements = [rabin.elements(text) for text in texts]
    bound = resemblance_error(2 * max(map(len, elements)), BITS)
    for size, modulus in ((100, 1), (200, 1), (400, 1), (100, 4)):
        sketches = [BottomS.of(each, size, modulus=modulus) for each in elements]
        for representative in ("first", "popular"):
            start = time.thread_time()
            found = gather_sketches(sketches, THRESHOLD, representative)
            taken = time.thread_time() - start
            yield compared(representative, (size, modulus), (exact, contents), found, taken, bound)


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    if quick:
        texts = [text[start:] for _, text in generated(20, 200) for start in (0, 60, 700)]
    else:
        texts = [row["text"] for row in rows_of("article-extraction")]
    report.finish(list(rows(texts)))


if __name__ == "__main__":
    main()
