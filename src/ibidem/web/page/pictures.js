// All pairs at once: clusters of passages, a matrix, a network and a time line.

import { drawMatrix, drawNetwork, drawTimeline } from "./charts.js";
import { count, fill, make, number, percent } from "./dom.js";
import { showFoundWitness } from "./overview.js";
import { say } from "./words.js";

const MOST_IN_MATRIX = 60;
const MOST_CLUSTERS = 100;

/** Clusters by their words, each with a table of witnesses and, when it is opened, their texts. */
export async function showClusters(body, answer) {
  const first = firstLines(answer);
  const chosen = answer.clusters.slice(0, MOST_CLUSTERS);
  const lines = await Promise.all(chosen.map((cluster, at) => answer.comparisons(first[at], 1)));
  fill(
    body,
    make("h2", {}, say("part-clusters")),
    make("p", { class: "counts" }, say("clusters-found", { n: answer.clusters.length }), answer.clusters.length > chosen.length && ` ${say("first-clusters", { n: chosen.length })}`),
    chosen.length > 0 && make("p", { class: "note" }, say("about-clusters")),
    make("div", { class: "clusters" }, chosen.map((cluster, at) => showCluster(cluster, lines[at][0]?.b.text ?? "", first[at], answer))),
  );
}

/** Where the comparisons of each cluster begin: behind those of all pairs. */
function firstLines(answer) {
  let line = answer.columns.a.length;
  return answer.clusters.map((cluster) => (line += cluster.compared) - cluster.compared);
}

function showCluster(cluster, words, first, answer) {
  const body = make("div", { class: "witnesses", tabindex: "0", role: "group", "aria-label": say("part-clusters") });
  const [dated, traced] = [3, 4].map((at) => cluster.witnesses.some((witness) => (witness[at] ?? "") !== ""));
  const columns = ["document", dated && "date", "characters", traced && "likely-from"].filter(Boolean);
  const open = async () => {
    if (!part.open || body.childElementCount) return;
    const lines = await answer.comparisons(first, cluster.compared);
    const report = { documents: answer.documents, comparison: (at) => lines[at - first] };
    fill(body, cluster.witnesses.slice(0, lines.length).map((witness, at) => showFoundWitness(witness, at, report, { ...cluster, first })));
  };
  const part = make(
    "details",
    { toggle: open },
    make("summary", {}, make("span", { class: "title", dir: "auto" }, words.length > 90 ? `${words.slice(0, 90).replace(/\s\S*$/, "")} …` : words), make("span", { class: "note" }, ` ${count(cluster.documents, "document")}${cluster.boilerplate ? ` · ${say("boilerplate")}` : ""}`)),
    make("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": say("witnesses") }, make("table", { "aria-label": say("witnesses") }, make("thead", {}, make("tr", {}, columns.map((name) => make("th", { scope: "col" }, say(name))))), make("tbody", {}, cluster.witnesses.slice(0, 200).map(([document, start, end, date, source]) => make("tr", {}, make("td", {}, make("a", { href: answer.link({ doc: document }) }, make("bdi", {}, answer.documents[document].name))), dated && make("td", {}, date ?? ""), make("td", {}, `${number(start)} – ${number(end)}`), traced && make("td", {}, source === null ? "" : make("bdi", {}, answer.documents[source].name))))))),
    body,
  );
  return part;
}

/** Pictures of the pairs of documents above a share. */
export function showPictures(body, answer) {
  const documents = withoutFolder(answer.documents);
  const least = make("input", { id: "least-share", type: "range", min: 0, max: 1, step: 0.01, value: 0, input: () => draw() });
  const shown = make("output", {}, percent(0));
  const place = make("div", { class: "pictures" });
  const draw = () => {
    shown.textContent = percent(Number(least.value));
    const pairs = answer.pairs.map((pair) => ({ ...pair, similarity: Math.max(pair.counts[0][4], pair.counts[1][4]) })).filter((pair) => pair.similarity >= Number(least.value));
    const open = (pair) => (location.hash = answer.link({ pair: pair.at }));
    const matrix = drawMatrix(documents, pairs, MOST_IN_MATRIX, open);
    const dated = new Set(documents.map((each) => each.time).filter((time) => time !== null));
    const some = matrix.shown < matrix.all ? ` (${matrix.shown} / ${matrix.all})` : "";
    fill(
      place,
      pairs.length === 0 && make("p", {}, say("no-pair-left")),
      pairs.length > 0 && [figure(`${say("matrix")}${some}`, matrix.plot), figure(say("network"), drawNetwork(documents, pairs, MOST_IN_MATRIX, open))],
      dated.size > 1 && figure(say("timeline"), drawTimeline(documents, pairs, open)),
    );
  };
  fill(body, make("p", { class: "controls" }, make("label", { for: "least-share" }, say("filter-share")), least, shown), make("p", { class: "note" }, say("about-pictures")), place);
  draw();
}

/** The documents without the folder that all of them lie in: pictures have little room for names. */
function withoutFolder(documents) {
  const folder = documents.map(({ name }) => name.slice(0, name.lastIndexOf("/") + 1)).reduce((one, other) => {
    let length = Math.min(one.length, other.length);
    while (one.slice(0, length) !== other.slice(0, length)) length -= 1;
    return one.slice(0, one.lastIndexOf("/", length - 1) + 1);
  });
  return documents.map((each) => ({ ...each, name: each.name.slice(folder.length) }));
}

function figure(title, picture) {
  return make("figure", {}, make("figcaption", {}, title), make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": title }, picture));
}
