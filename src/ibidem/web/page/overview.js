// All pairs: numbers, pictures, and a table that is sorted, searched and filtered at once.

import { drawHistogram, drawMatrix, drawTimeline } from "./charts.js";
import { count, decimal, fill, fixed, make, number, percent, phrase } from "./dom.js";
import { describeCounts, placeOf } from "./pair.js";
import { showPassage } from "./passage.js";

const isNarrow = () => window.innerWidth < 640;
const PAGE = isNarrow() ? 20 : 100;
const MOST_IN_MATRIX = 60;
const TITLE = 80; // characters
const MOST_BESIDE = 30; // documents of a matrix with pictures beside it
const MOST_CLUSTERS = isNarrow() ? 10 : 50;
const MOST_DOCUMENT_PAIRS = isNarrow() ? 5 : 100;

const COLUMNS = [
  ["similarity", "Similarity", (pair) => -pair.similarity],
  ["a", "First document", (pair, documents) => documents[pair.a].name],
  ["b", "Second document", (pair, documents) => documents[pair.b].name],
  ["length", "Characters", (pair) => -pair.length],
  ["place", "Begins at", (pair) => pair.start],
];

const SHARE_TITLES = ["Document", "Word for word", "Word for word or changed", "In words"];

/** The overview of a report. `state` has threshold, words, kind, sort, down and page; `change(part)` changes it. */
export class Overview {
  constructor(report, state, change, open) {
    Object.assign(this, { report, state, change, open });
    this.head = make("p", { class: "counts", role: "status" });
    this.pictures = make("div", { class: "pictures" });
    this.rows = make("tbody");
    this.headings = make("tr");
    this.pages = make("div", { class: "pages" });
    this.clusters = make("section", { class: "clusters", "aria-label": phrase("Clusters") });
    this.shares = make("section", { class: "shares", "aria-label": phrase("Pairs of documents") });
    this.element = make("div", { class: "overview" }, this.controls(), this.head, this.pictures, this.shares, this.table(), this.clusters);
  }

  controls() {
    const { state, change } = this;
    this.output = make("output", { for: "threshold" });
    this.slider = make("input", {
      id: "threshold", type: "range", min: "0", max: "1", step: "0.01", value: String(state.threshold),
      input: (event) => change({ threshold: Number(event.target.value), page: 0 }),
    });
    this.words = make("input", {
      id: "words", type: "search", value: state.words, placeholder: phrase("name of a document"),
      input: (event) => change({ words: event.target.value, page: 0 }),
    });
    const kinds = [...new Set(this.report.pairs.map((pair) => pair.kind))];
    this.kind = make(
      "select",
      { id: "kind", change: (event) => change({ kind: event.target.value, page: 0 }) },
      make("option", { value: "" }, phrase("all kinds")),
      kinds.map((kind) => make("option", { value: kind }, phrase(kind))),
    );
    return make(
      "form",
      { class: "controls", submit: (event) => event.preventDefault() },
      make("div", {}, make("label", { for: "threshold" }, phrase("Least similarity")), this.slider, this.output),
      make("div", {}, make("label", { for: "words" }, phrase("Documents")), this.words),
      kinds.length > 1 && make("div", {}, make("label", { for: "kind" }, phrase("Kind")), this.kind),
    );
  }

  table() {
    return make(
      "section",
      { "aria-label": phrase("Pairs") },
      make("h2", {}, phrase("Pairs")),
      make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": phrase("table of pairs") }, make("table", {}, make("thead", {}, this.headings), this.rows)),
      this.pages,
    );
  }

  /** The pairs that the filters leave, in the order of the table. */
  chosen() {
    const { report, state } = this;
    const words = state.words.toLocaleLowerCase();
    const names = report.documents.map((document) => !words || document.name.toLocaleLowerCase().includes(words));
    const kept = report.pairs.filter(
      (pair) => pair.similarity >= state.threshold && (!state.kind || pair.kind === state.kind) && (names[pair.a] || names[pair.b]),
    );
    const key = COLUMNS.find(([name]) => name === state.sort)?.[2];
    if (!key) return kept;
    const keys = new Map(kept.map((pair) => [pair, key(pair, report.documents)]));
    const order = (x, y) => (typeof x === "string" ? x.localeCompare(y) : x - y);
    const sign = state.down ? -1 : 1;
    return kept.sort((p, q) => sign * order(keys.get(p), keys.get(q)) || p.at - q.at);
  }

  draw() {
    const { report, state, change } = this;
    this.pairs = this.chosen();
    this.slider.value = String(state.threshold);
    this.output.textContent = fixed(state.threshold, 2);
    if (document.activeElement !== this.words) this.words.value = state.words;
    this.kind.value = state.kind;
    const documents = new Set(this.pairs.flatMap((pair) => [pair.a, pair.b])).size;
    const all = this.pairs.length === report.pairs.length;
    const values = { shown: number(this.pairs.length), all: number(report.pairs.length), pairs: count(this.pairs.length, "pair"), documents: count(documents, "document") };
    fill(this.head, phrase(all ? "{pairs} of passages in {documents}" : "{shown} of {all} pairs of passages in {documents}", values));
    this.drawPictures();
    this.drawShares();
    this.drawHeadings();
    this.drawRows();
    this.drawPages();
    this.drawClusters();
    return change;
  }

  drawPictures() {
    const { report, state, change, open } = this;
    const matrix = drawMatrix(report.documents, this.pairs, MOST_IN_MATRIX, open);
    const some = matrix.shown < matrix.all ? "Documents that share passages, the {shown} of {all} with most pairs" : "Documents that share passages";
    const dated = new Set(report.documents.map((each) => each.time).filter((time) => time !== null));
    const histogram = drawHistogram(report.pairs.map((pair) => pair.similarity), state.threshold, (threshold) => change({ threshold, page: 0 }));
    this.pictures.classList.toggle("tall", matrix.shown > MOST_BESIDE);
    fill(
      this.pictures,
      make("div", { class: "stack" }, figure(phrase("Similarity"), histogram), dated.size > 1 && figure(phrase("Time line"), drawTimeline(report.documents, this.pairs, open))),
      report.documents.length > 1 && figure(phrase(some, { shown: matrix.shown, all: number(matrix.all) }), matrix.plot),
    );
  }

  /** How many words documents share, the pair of most evidence first. */
  drawShares() {
    const { report, state } = this;
    const words = state.words.toLocaleLowerCase();
    const named = (document) => !words || report.documents[document].name.toLocaleLowerCase().includes(words);
    const chosen = (report.documentPairs ?? []).filter((pair) => named(pair.a) || named(pair.b));
    const some = chosen.length > MOST_DOCUMENT_PAIRS && ` ${phrase("The first {shown} of {all} are shown.", { shown: MOST_DOCUMENT_PAIRS, all: number(chosen.length) })}`;
    fill(
      this.shares,
      chosen.length > 0 && [
        make("h2", {}, phrase("Pairs of documents")),
        make("p", { class: "note" }, phrase("Words that the other document has, those of most evidence first. Words of passages that are only similar are in no share."), some),
        make("table", {}, make("thead", {}, make("tr", {}, SHARE_TITLES.map((title) => make("th", { scope: "col" }, phrase(title))))), chosen.slice(0, MOST_DOCUMENT_PAIRS).map((pair) => showShares(pair, report.documents, report.markOf(pair)))),
      ],
    );
  }

  drawHeadings() {
    const { state, change } = this;
    const held = this.headings.contains(document.activeElement) && document.activeElement.closest("th").className;
    fill(
      this.headings,
      COLUMNS.map(([name, title]) => {
        const sorted = state.sort === name;
        return make(
          "th",
          { scope: "col", "aria-sort": sorted ? (state.down ? "descending" : "ascending") : "none", class: name },
          make("button", { type: "button", click: () => change({ sort: name, down: sorted && !state.down, page: 0 }) }, phrase(title), sorted ? (state.down ? " ▾" : " ▴") : ""),
        );
      }),
    );
    if (held) this.headings.querySelector(`.${held} button`).focus(); // who sorts by keyboard goes on from there
  }

  drawRows() {
    const { report, state } = this;
    const first = state.page * PAGE;
    fill(
      this.rows,
      this.pairs.slice(first, first + PAGE).map((pair) =>
        make(
          "tr",
          {},
          make("td", { class: "similarity" }, make("a", { href: `#pair=${pair.at}` }, decimal(pair.similarity)), bar(pair.similarity), pair.kind === "similar" ? null : make("span", { class: "kind" }, ` ${phrase(pair.kind)}`), report.markOf(pair)?.mark && make("span", { class: "kind" }, ` ${phrase(report.markOf(pair).mark)}`)),
          make("td", { class: "a" }, make("bdi", {}, report.documents[pair.a].name)),
          make("td", { class: "b" }, make("bdi", {}, report.documents[pair.b].name)),
          make("td", { class: "length" }, number(pair.length)),
          make("td", { class: "place" }, pair.place),
        ),
      ),
      this.pairs.length === 0 && make("tr", {}, make("td", { colspan: String(COLUMNS.length) }, phrase("No pair is left: lower the least similarity, or clear the name."))),
    );
  }

  drawPages() {
    const { state, change } = this;
    const last = Math.max(0, Math.ceil(this.pairs.length / PAGE) - 1);
    const turn = (page) => {
      change({ page: Math.min(last, Math.max(0, page)) });
      this.rows.closest(".scroller").focus(); // and the begin of the page is in view
    };
    fill(
      this.pages,
      last > 0 && [
        make("button", { type: "button", disabled: state.page === 0, click: () => turn(state.page - 1) }, phrase("Previous page")),
        ` ${phrase("page {page} of {pages}", { page: number(state.page + 1), pages: number(last + 1) })} `,
        make("button", { type: "button", disabled: state.page === last, click: () => turn(state.page + 1) }, phrase("Next page")),
      ],
    );
  }

  drawClusters() {
    const { report } = this;
    const found = report.clusters.length > 0;
    const clusters = found ? this.chosenClusters() : connect(this.pairs).filter((cluster) => cluster.documents.length > 2);
    const meaning = found ? phrase("Passages that hold one text, those first that most documents have. The weakest link of a cluster is the least similarity that holds it together: if only more similar passages counted as one text, the cluster would fall into two.") : phrase("Documents that pairs of the least similarity or more join, of which the least similar is the weakest link. Those of three documents or more are shown.");
    const counted = count(clusters.length, "cluster");
    fill(
      this.clusters,
      clusters.length > 0 && [
        make("h2", {}, phrase("Clusters")),
        make("p", { class: "note" }, `${meaning} `, clusters.length > MOST_CLUSTERS ? phrase("{clusters}, the largest {shown} shown.", { clusters: counted, shown: MOST_CLUSTERS }) : `${counted}.`),
        clusters.slice(0, MOST_CLUSTERS).map((cluster, rank) => (found ? showFoundCluster(cluster, rank + 1, report) : this.showCluster(cluster, rank + 1, report.documents))),
      ],
    );
  }

  /** The clusters that were found and that the filters leave. */
  chosenClusters() {
    const { report, state } = this;
    const words = state.words.toLocaleLowerCase();
    const named = (witness) => report.documents[witness[0]].name.toLocaleLowerCase().includes(words);
    return report.clusters.filter((cluster) => cluster.weakest >= state.threshold && (!words || cluster.witnesses.some(named)));
  }

  /** A cluster: a column for each witness, with its passages. */
  showCluster(cluster, rank, documents) {
    const weakest = Math.min(...cluster.pairs.map((pair) => pair.similarity));
    const body = make("div", { class: "witnesses" });
    const shown = make(
      "details",
      { toggle: () => shown.open && !body.childElementCount && fill(body, cluster.documents.slice(0, 40).map((each) => this.showWitness(each, cluster.pairs, documents))) },
      make("summary", {}, `${rank}. ${count(cluster.documents.length, "document")}, ${count(cluster.pairs.length, "pair")}, ${weakestLink(weakest)}: `, titled(cluster.pairs[0].at, listNames(cluster.documents.map((each) => documents[each].name)), this.report)),
      body,
    );
    return shown;
  }

  showWitness(witness, pairs, documents) {
    const own = pairs.filter((pair) => pair.a === witness || pair.b === witness);
    return make(
      "div",
      { class: "witness" },
      make("h3", { dir: "auto" }, documents[witness].name),
      documents[witness].date && make("p", { class: "note" }, documents[witness].date),
      make(
        "ul",
        {},
        own.slice(0, 20).map((pair) => {
          const other = pair.a === witness ? pair.b : pair.a;
          return make("li", {}, make("a", { href: `#pair=${pair.at}` }, `${decimal(pair.similarity)} ${documents[other].name}`));
        }),
      ),
    );
  }
}

const weakestLink = (similarity) => phrase("weakest link {similarity}", { similarity: decimal(similarity) });

/** The title of a cluster: the first words of a passage, or what else tells it from others if texts are not in the report. */
function titled(line, other, report) {
  const words = [...report.comparison(line).b.text.trim().replace(/\s+/g, " ")];
  const title = words.length > TITLE ? `${words.slice(0, TITLE).join("").replace(/\s\S*$/, "")} …` : words.join("");
  return make("span", { class: "title", dir: "auto" }, title || other);
}

/** Names that tell a cluster of documents. */
const listNames = (names) => `${names.slice(0, 4).join(", ")}${names.length > 4 ? " …" : ""}`;

/** A cluster that was found: a column for each witness, its words marked that differ from the most central one. */
function showFoundCluster(cluster, rank, report) {
  const { documents } = report;
  const central = `${documents[cluster.witnesses[0][0]].name} · ${placeOf(report.comparison(cluster.first).b)}`; // several clusters may be of the same documents
  const body = make("div", { class: "witnesses", tabindex: "0", role: "region", "aria-label": phrase("witnesses of cluster {rank}", { rank }) });
  const draw = () => fill(body, cluster.witnesses.slice(0, cluster.compared).map((witness, at) => showFoundWitness(witness, at, report, cluster)));
  const rest = cluster.witnesses.slice(cluster.compared, cluster.compared + 100).map(([document, start]) => `${documents[document].name} (${number(start)})`);
  const shown = make(
    "details",
    { open: rank === 1, toggle: () => shown.open && !body.childElementCount && draw() },
    make("summary", {}, `${rank}. ${count(cluster.documents, "document")}, ${count(cluster.witnesses.length, "passage")}, ${weakestLink(cluster.weakest)}: `, titled(cluster.first, central, report), cluster.boilerplate ? ` (${phrase("boilerplate: {reason}", { reason: phrase(cluster.boilerplate) })})` : ""),
    body,
    rest.length > 0 && make("p", { class: "note" }, phrase("Also in {names}", { names: rest.join(", ") })),
  );
  if (rank === 1) draw();
  return shown;
}

export function showFoundWitness([document, start, end, date, source], at, report, cluster) {
  const { b, runs } = report.comparison(cluster.first + at);
  const said = [
    date,
    phrase("characters {start} to {end}", { start: number(start), end: number(end) }),
    source !== null && phrase("likely from {name}", { name: report.documents[source].name }),
    at === 0 && phrase("the most central"),
  ];
  return make(
    "div",
    { class: "witness wide" },
    make("h3", { dir: "auto" }, report.documents[document].name),
    make("p", { class: "note" }, said.filter(Boolean).join(" · ")),
    b.text ? showPassage({ ...b, lines: null }, runs, "b") : make("p", { class: "note" }, phrase("The text is not in this report.")),
  );
}

/** A row for each of two documents: the shares of its words, and what they mean. */
function showShares({ a, b, counts }, documents, said) {
  const row = (own, other, counted) =>
    make(
      "tr",
      {},
      make("td", {}, make("bdi", {}, documents[own].name)),
      [["identical", 3], ["similar", 4]].map(([name, at]) => make("td", { class: name }, percent(counted[at]), bar(counted[at]))),
      make("td", { class: "reading" }, describeCounts(counted, documents[other].name)),
    );
  return make("tbody", {}, row(a, b, counts[0]), row(b, a, counts[1]), said && make("tr", {}, make("td", { colspan: "4" }, showMark(said))));
}

/** What a person said of two documents. */
export function showMark(said) {
  if (!said) return null;
  return make("p", { class: "mark-said" }, make("strong", {}, phrase("Marked: {mark}", { mark: phrase(said.mark || "with a note") })), said.note && make("span", { dir: "auto" }, ` ${said.note}`));
}

function figure(title, picture) {
  return make("figure", { tabindex: "0" }, make("figcaption", {}, title), picture);
}

const bar = (value) => make("span", { class: "meter", "aria-hidden": "true", style: `--share:${(100 * value).toFixed(0)}%` });

/** Documents that pairs join, and their pairs; the largest first. */
export function connect(pairs) {
  const parents = new Map();
  const root = (document) => {
    let at = document;
    while ((parents.get(at) ?? at) !== at) at = parents.get(at);
    parents.set(document, at);
    return at;
  };
  for (const pair of pairs) parents.set(root(pair.a), root(pair.b));
  const clusters = new Map();
  for (const pair of pairs) {
    const key = root(pair.a);
    if (!clusters.has(key)) clusters.set(key, { documents: new Set(), pairs: [] });
    const cluster = clusters.get(key);
    cluster.documents.add(pair.a).add(pair.b);
    cluster.pairs.push(pair);
  }
  return [...clusters.values()]
    .map(({ documents, pairs: own }) => ({ documents: [...documents], pairs: own }))
    .sort((x, y) => y.documents.length - x.documents.length || y.pairs.length - x.pairs.length);
}

