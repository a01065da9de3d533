// What is shown of an answer: documents, or pairs of which a document fits, by name, author, year, share and mark.

import { fill, make } from "./dom.js";
import { percent, say } from "./words.js";

const START = { words: "", share: 0, from: "", to: "", mark: "any", kind: "", sort: "rank", down: false, page: 0 };

let keptFor = null;

/** What was chosen, from one look at an answer to the next. */
export const kept = { ...START };

/** Forget what was chosen for another answer. */
export function keepFor(answer) {
  if (keptFor !== answer) Object.assign(kept, START);
  keptFor = answer;
}

/** The fields of filters; `draw(changed)` is called with what a person changes. */
export function showFilters(answer, draw, marks = []) {
  const change = (part) => draw({ ...part, page: 0 });
  const field = (name, attributes) => make("input", { id: `filter-${name}`, value: kept[name], input: (event) => change({ [name]: event.target.value }), ...attributes });
  const labelled = (name, ...elements) => make("div", {}, make("label", { for: `filter-${name}` }, say(name === "share" && !answer.isCounted ? "set-threshold" : `filter-${name}`)), elements);
  const choice = (name, values, sayValue) => labelled(name, make("select", { id: `filter-${name}`, change: (event) => change({ [name]: event.target.value }) }, values.map((each) => make("option", { value: each, selected: each === kept[name] }, sayValue(each)))));
  const dated = answer.documents.some((each) => each.time !== null);
  const kinds = [...new Set(answer.pairs.map((pair) => pair.kind).filter(Boolean))];
  const shown = make("output", {}, percent(kept.share));
  const share = field("share", { type: "range", min: 0, max: 1, step: 0.01, input: ({ target }) => ((shown.textContent = percent(Number(target.value))), change({ share: Number(target.value) })) });
  return make(
    "form",
    { class: "controls", submit: (event) => event.preventDefault() },
    labelled("words", field("words", { type: "search", placeholder: say("name-or-author") })),
    labelled("share", share, shown),
    dated && [labelled("from", field("from", { type: "number", class: "year" })), labelled("to", field("to", { type: "number", class: "year" }))],
    marks.length > 0 && choice("mark", ["any", ...marks], (mark) => say(`mark-${mark || "none"}`)),
    kinds.length > 1 && choice("kind", ["", ...kinds], (kind) => say(`kind-${kind || "any"}`)),
  );
}

/** Words as they are compared: in any case, and with accents in one spelling, of which files of a Mac have another. */
const fold = (words) => words.normalize("NFC").toLocaleLowerCase();

/** Of each document, whether the words that were typed are in its name, author or title, and whether it is of the years. */
export function fitDocuments({ documents }) {
  const words = fold(kept.words);
  const isNamed = documents.map((each) => !words || fold(`${each.name} ${each.author ?? ""} ${each.title ?? ""}`).includes(words));
  const since = (each) => kept.from === "" || (each.time !== null && each.time >= Number(kept.from));
  const until = (each) => kept.to === "" || (each.time !== null && each.time < Number(kept.to) + 1);
  return { isNamed, isDated: documents.map((each) => since(each) && until(each)) };
}

/** Say how many are left, if filters leave some out. */
export function tellShown(place, shown, all) {
  fill(place, shown < all && say("shown-of", { n: shown, all }));
}
