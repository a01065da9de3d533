// Where a passage occurs: searched as it is typed, in the index of an answer.

import { call } from "./api.js";
import { decimal, fill, make } from "./dom.js";
import { say } from "./words.js";

const PAUSE = 150; // ms after the last key
const LEAST = 2; // words
const CONTEXT = 80;

export function showSearch(body, answer, at) {
  const text = make("textarea", { id: "passage", rows: "4", dir: "auto", input: () => askSoon() });
  const least = make("input", { id: "least", type: "range", min: 0.3, max: 1, step: 0.05, value: 0.6, input: () => askSoon() });
  const shown = make("output", {}, "0.60");
  const found = make("div");
  const count = make("p", { class: "counts", role: "status" });
  let waiting = 0;
  let [isAsking, isOld] = [false, false];
  /** Ask one thing at a time: what is typed meanwhile is asked for after it. */
  const ask = async () => {
    isOld = true;
    if (isAsking) return;
    for (isAsking = true; isOld; ) {
      isOld = false;
      await askOnce();
    }
    isAsking = false;
  };
  const askOnce = async () => {
    shown.textContent = Number(least.value).toFixed(2);
    if (text.value.trim().split(/\s+/).length < LEAST) return fill(count, say("type-more")), fill(found);
    fill(count, say("searching"));
    try {
      const held = await call("POST", `${answer.path}/search`, { text: text.value, threshold: Number(least.value), context: CONTEXT });
      if (isOld) return; // other words were typed meanwhile
      fill(count, say("n-matches", { n: held.total }), held.warnings.map((words) => make("span", { class: "warning" }, words)));
      fill(found, make("ol", { class: "results" }, held.matches.map(showMatch)));
    } catch (problem) {
      fill(count, problem.message);
      fill(found);
    }
  };
  const askSoon = () => (clearTimeout(waiting), (waiting = setTimeout(ask, PAUSE)));
  const showMatch = (match) =>
    make(
      "li",
      {},
      make("h2", {}, make("a", { href: answer.link({ doc: answer.documents.findIndex((each) => each.name === match.document) }) }, make("bdi", {}, match.document))),
      make("p", { class: "place" }, `${say("similarity")} ${decimal(match.similarity)}`),
      make("p", { class: "excerpt", dir: "auto" }, make("span", { class: "context" }, `… ${match.before}`), make("mark", {}, match.text), make("span", { class: "context" }, `${match.after} …`)),
    );
  fill(
    body,
    make("p", { class: "note" }, say("n-documents", { n: answer.documents.length })),
    make("form", { class: "ask", submit: (event) => (event.preventDefault(), ask()) }, make("label", { for: "passage" }, say("passage")), text, make("p", { class: "controls" }, make("label", { for: "least" }, say("least-similarity")), least, shown)),
    count,
    found,
  );
  if (at.text) (text.value = at.text), ask();
}
