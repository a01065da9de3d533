// Clusters of passages: each by its words, with a table of where it occurs and, when it is opened, the words there.

import { fill, make, named, scroller, table } from "./dom.js";
import { showPassage } from "./passage.js";
import { number, say } from "./words.js";

const MOST_CLUSTERS = 100;
const MOST_ROWS = 200;

export function showClusters(body, answer) {
  const { clusters } = answer;
  fill(
    body,
    make("p", { class: "counts" }, say("clusters-found", { n: clusters.length }), clusters.length > MOST_CLUSTERS && ` ${say("first-clusters", { n: MOST_CLUSTERS })}`),
    make("h2", { class: "unseen" }, say("part-clusters")),
    make("p", { class: "note" }, say("about-clusters")),
    make("div", { class: "clusters" }, clusters.slice(0, MOST_CLUSTERS).map((cluster) => showCluster(cluster, answer))),
  );
}

function showCluster(cluster, answer) {
  const [dated, traced] = [3, 4].map((at) => cluster.witnesses.some((witness) => (witness[at] ?? "") !== ""));
  const columns = ["document", dated && "date", "characters", traced && "likely-from"].filter(Boolean).map((name) => [name, say(name)]);
  const body = make("div", { class: "witnesses", tabindex: "0", role: "group", "aria-label": say("part-clusters") });
  const nameOf = (at) => named(answer.documents[at].name);
  const open = async () => {
    if (!part.open || body.childElementCount) return;
    const lines = await answer.comparisons(cluster.first, cluster.compared);
    fill(body, lines.map(({ b, runs }, at) => make("div", { class: "witness" }, make("h3", {}, nameOf(cluster.witnesses[at][0])), at === 0 && make("p", { class: "note" }, say("most-central")), b.text ? showPassage({ ...b, lines: null }, runs, "b") : make("p", { class: "note" }, say("text-unknown")))));
  };
  const showRow = ([document, start, end, date, source]) =>
    make("tr", {}, make("td", {}, answer.text ? make("a", { href: answer.link({ doc: document }) }, nameOf(document)) : nameOf(document)), dated && make("td", {}, date ?? ""), make("td", {}, `${number(start)} – ${number(end)}`), traced && make("td", {}, source === null ? "" : nameOf(source)));
  const part = make(
    "details",
    { toggle: open },
    make("summary", {}, make("span", { class: "title", dir: "auto" }, cluster.title || answer.documents[cluster.witnesses[0][0]].name), make("span", { class: "note" }, ` ${say("documents", { n: cluster.documents })}${cluster.boilerplate ? ` · ${say("boilerplate")}` : ""}`)),
    scroller(say("witnesses"), table(say("witnesses"), columns, cluster.witnesses.slice(0, MOST_ROWS).map(showRow))),
    body,
  );
  return part;
}
