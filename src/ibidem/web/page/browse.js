// The views that browse: the clusters of a reuse, the witnesses of one, and a document with its other reuse.

import { address, call, documentAddress, field } from "./calls.js";
import { count, decimal, fill, make, number } from "./dom.js";
import { CodePoints, showPassage } from "./passage.js";

const PAGE = 50;
const WITNESSES = 20;
const PART = 12000; // characters of a document that are shown
const AROUND = 2000; // and before a passage
const PAIRS = 200;

// Each view has a place of its own: what comes late for a view that was left fills a place that is no longer shown.

function showProblem(place, problem) {
  fill(place, make("p", { class: "warning", role: "alert" }, problem.message));
}

/** A list that grows: `load(cursor)` gives rows and the next cursor, `show` a row as an element. */
function growing(place, list, load, show) {
  const more = make("button", { type: "button", hidden: true }, "More");
  let cursor = null;
  const grow = async () => {
    more.disabled = true;
    const { rows, next } = await load(cursor);
    list.append(...rows.map(show));
    cursor = next;
    more.hidden = cursor === null;
    more.disabled = false;
  };
  more.addEventListener("click", () => grow().catch((problem) => showProblem(place, problem)));
  return { more, grow };
}

/** All clusters of a reuse, those first that most documents hold. `asked` is the address. */
export async function showClusters(asked, place) {
  const [reuse, document] = [asked.get("reuse") ?? "", asked.get("document") ?? ""];
  const least = Math.max(1, Math.floor(Number(asked.get("documents")) || 1));
  const head = make("p", { class: "counts", role: "status" });
  const list = make("ol", { class: "results" });
  const load = async (cursor) => {
    const { clusters, total, cursor: next } = await call(address("/v1/clusters", { reuse, document, documents: least, limit: PAGE, cursor }));
    fill(head, total ? `${count(total, "cluster")} of matching passages` : "No cluster is left.");
    return { rows: clusters, next };
  };
  const { more, grow } = growing(place, list, load, (cluster) => showCluster(cluster, reuse));
  fill(place, clusterControls(reuse, document, least), head, list, more);
  await grow().catch((problem) => showProblem(place, problem));
}

function clusterControls(reuse, document, least) {
  const go = (event) => {
    event.preventDefault();
    location.hash = `#${new URLSearchParams({ view: "clusters", reuse, document: field("of").value, documents: field("least").value })}`;
  };
  return make(
    "form",
    { class: "controls", submit: go },
    make("div", {}, make("label", { for: "least" }, "Documents at least "), make("input", { id: "least", type: "number", min: "1", value: String(least) })),
    make("div", {}, make("label", { for: "of" }, "With the document "), make("input", { id: "of", type: "search", value: document })),
    make("button", { type: "submit" }, "Show"),
  );
}

function showCluster(cluster, reuse) {
  const link = `#${new URLSearchParams({ view: "cluster", reuse, cluster: cluster.cluster })}`;
  const text = cluster.text ?? "";
  return make(
    "li",
    {},
    make("h2", {}, make("a", { href: link }, `${count(cluster.documents, "document")}, ${count(cluster.size, "passage")}`)),
    make("p", { class: "place" }, make("span", { title: "the least similarity that holds the cluster together: if only more similar passages counted as one text, it would fall into two" }, `weakest link ${decimal(cluster.weakest)}`), " · most central: ", make("bdi", {}, cluster.central), cluster.boilerplate ? ` · boilerplate: ${cluster.boilerplate}` : ""),
    text && make("p", { class: "excerpt", dir: "auto" }, text.length > 400 ? `${text.slice(0, 400)} …` : text),
  );
}

const REASONS = {
  frequent: "Text that most documents have, such as a notice. It says nothing of two of them.",
  ignored: "Similar to a text to ignore, also with words changed. It counts as absent.",
  phrase: "One of the phrases that count as absent wherever they occur.",
  series: "Both documents belong to one series, whose documents are not compared with each other.",
  trivial: "Fewer than eight different words are shared: numbers, or one word repeated.",
  crowded: "The text resembles itself in more places than pairs are made of. Each is compared with the first and the next.",
  chance: "Chance explains as much.",
};

/** The pairs that were found and left out, each with its reason. `asked` is the address. */
export async function showLeftOut(asked, place) {
  const reuse = asked.get("reuse") ?? "";
  const head = make("p", { class: "counts", role: "status" });
  const list = make("ol", { class: "results" });
  const load = async (cursor) => {
    const { pairs, total, cursor: next } = await call(address("/v1/pairs", { reuse, left_out: true, limit: PAGE, cursor }));
    fill(head, `${count(total, "pair")} of passages left out`);
    return { rows: pairs, next };
  };
  const { more, grow } = growing(place, list, load, showAside);
  fill(place, make("h2", {}, "Left out"), head, list, more);
  await grow().catch((problem) => showProblem(place, problem));
}

function showAside(pair) {
  const text = pair.a_text ?? "";
  return make(
    "li",
    {},
    make("h3", {}, make("bdi", {}, pair.a), " and ", make("bdi", {}, pair.b)),
    make("p", { class: "place" }, `${pair.reason}: ${REASONS[pair.reason] ?? ""} · characters ${number(pair.a_start)} to ${number(pair.a_end)} and ${number(pair.b_start)} to ${number(pair.b_end)}`),
    text && make("p", { class: "excerpt", dir: "auto" }, text.length > 400 ? `${text.slice(0, 400)} …` : text),
  );
}

/** One cluster: a column for each witness, its words marked that differ from the most central one. */
export async function showWitnesses(asked, place) {
  const [reuse, name] = [asked.get("reuse") ?? "", asked.get("cluster") ?? ""];
  const columns = make("div", { class: "witnesses", tabindex: "0", role: "region", "aria-label": "witnesses" });
  const head = make("p", { class: "counts", role: "status" });
  let central = null;
  const load = async (cursor) => {
    const found = await call(address(`/v1/clusters/${encodeURIComponent(name)}`, { reuse, limit: WITNESSES, cursor }));
    central = found.cluster;
    fill(head, `${count(found.total, "passage")} of ${count(central.documents, "document")}; words that differ from the most central passage are marked`);
    return { rows: found.witnesses, next: found.cursor };
  };
  const { more, grow } = growing(place, columns, load, (witness) => showWitness(witness, central));
  const back = make("a", { class: "button", href: `#${new URLSearchParams({ view: "clusters", reuse })}` }, "All clusters");
  fill(place, make("nav", { class: "steps", "aria-label": "Clusters" }, back), make("h2", {}, "A cluster"), head, columns, more);
  await grow().catch((problem) => showProblem(place, problem));
}

function showWitness(witness, central) {
  const name = make("bdi", {}, witness.document);
  const heading = witness.index ? make("a", { href: documentAddress(witness.index, witness.document, witness.start, witness.end) }, name) : name;
  const place = [witness.date, witness.locator, `characters ${number(witness.start)} to ${number(witness.end)}`, witness.source && `likely from ${witness.source}`];
  const body = make("div", {});
  const isCentral = witness.document === central.central && witness.start === central.central_start;
  fillWitness(body, witness, isCentral ? null : central.text).catch((problem) => fill(body, make("p", { class: "warning" }, problem.message)));
  return make(
    "section",
    { class: "witness wide", "aria-label": witness.document },
    make("h3", {}, heading),
    make("p", { class: "note" }, place.filter((each) => each !== null && each !== undefined && each !== false).join(" · "), isCentral && " · the most central"),
    body,
  );
}

async function fillWitness(body, witness, central) {
  if (witness.text === null) fill(body, make("p", { class: "note" }, "The text is not known here: serve the index that has it, too."));
  else if (central === null) fill(body, make("div", { class: "words", dir: "auto" }, witness.text));
  else {
    const { b, runs } = await call("/v1/compare", { a: { text: central }, b: { text: witness.text } });
    fill(body, showPassage({ ...b, lines: null }, runs, "b"));
  }
}

/** A part of a document, with passages that occur elsewhere, too. */
export async function showDocument(asked, place) {
  const [index, name] = [asked.get("index") ?? "", asked.get("document") ?? ""];
  const [start, end] = ["start", "end"].map((each) => Math.max(0, Math.floor(Number(asked.get(each)) || 0)));
  const first = Math.max(0, start - AROUND);
  try {
    const part = await call(address(`/v1/documents/${encodeURIComponent(name)}`, { index, start: first, end: Math.max(first + PART, end) }));
    const others = make("ol", { class: "results others" });
    const text = make("div", { class: "traced", dir: "auto" });
    const marks = [{ start, end, kind: "asked", title: "the passage that was found" }];
    drawMarks(text, part, marks);
    const turn = (words, to) => make(to === null ? "span" : "a", { class: "button", href: to === null ? null : documentAddress(part.index, name, to, to), "aria-disabled": to === null ? "true" : null }, words);
    fill(
      place,
      make("h2", {}, make("bdi", {}, name)),
      make("p", { class: "place" }, `${part.locator ? `${part.locator} · ` : ""}characters ${number(part.start)} to ${number(part.end)} of ${number(part.length)}`),
      make("nav", { class: "steps", "aria-label": "Parts" }, turn("Earlier", part.start > 0 ? Math.max(0, part.start - PART + AROUND) : null), turn("Later", part.end < part.length ? part.end + AROUND : null)),
      text,
      make("h2", {}, "Stands elsewhere, too"),
      others,
    );
    text.querySelector(".asked")?.scrollIntoView({ block: "center" });
    const found = (await findElsewhere(part)).filter((each) => each.start < part.end && each.end > part.start);
    drawMarks(text, part, [...marks, ...found.map((each, at) => ({ ...each, kind: "elsewhere", title: each.document, at }))]);
    fill(others, found.map((each, at) => showElsewhere(each, at)), found.length === 0 && make("li", {}, "Nothing of this part was found elsewhere."));
  } catch (problem) {
    showProblem(place, problem);
  }
}

/** The other places of what a part of a document says: from the reuse if there is one, else by an alignment. */
async function findElsewhere(part) {
  const { reuse } = await call("/v1/indexes");
  if (reuse.length) {
    const { pairs } = await call(address("/v1/pairs", { document: part.document, limit: PAIRS }));
    if (pairs.length) return pairs.map((pair) => seenFrom(pair, part));
  }
  const { matches } = await call("/v1/align", { text: part.text, index: part.index, limit: PAIRS });
  return matches
    .filter((match) => match.document !== part.document)
    .map((match) => ({ ...match, index: part.index, start: match.query_start + part.start, end: match.query_end + part.start, other: [match.start, match.end] }));
}

function seenFrom(pair, part) {
  const [own, other] = pair.a === part.document ? ["a", "b"] : ["b", "a"];
  const at = (side) => [pair[`${side}_start`], pair[`${side}_end`]];
  return { document: pair[other], index: part.index, start: at(own)[0], end: at(own)[1], other: at(other), text: pair[`${other}_text`] ?? "", similarity: pair.similarity };
}

function showElsewhere(each, at) {
  return make(
    "li",
    { id: `elsewhere-${at}` },
    make("h3", {}, make("a", { href: documentAddress(each.index, each.document, ...each.other) }, make("bdi", {}, each.document))),
    make("p", { class: "place" }, `similarity ${decimal(each.similarity)} · here characters ${number(each.start)} to ${number(each.end)}`),
    make("p", { class: "excerpt", dir: "auto" }, each.text.length > 300 ? `${each.text.slice(0, 300)} …` : each.text),
  );
}

/** The text of a part, cut where a mark begins or ends. */
function drawMarks(element, part, marks) {
  const text = new CodePoints(part.text);
  const ends = marks.flatMap((mark) => [mark.start, mark.end]).filter((at) => at > part.start && at < part.end);
  const cuts = [...new Set([part.start, ...ends, part.end])].sort((x, y) => x - y);
  fill(
    element,
    cuts.slice(1).map((to, at) => {
      const from = cuts[at];
      const own = marks.filter((mark) => mark.start <= from && mark.end >= to && mark.start < mark.end);
      const words = text.slice(from - part.start, to - part.start);
      if (!own.length) return words;
      const kinds = [...new Set(own.map((mark) => mark.kind))].join(" ");
      return make("mark", { class: kinds, title: [...new Set(own.map((mark) => mark.title))].slice(0, 5).join(", ") }, words);
    }),
  );
}
