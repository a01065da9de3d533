// The items of evaluations that a text holds: each place beside the part of the item.

import { call, field } from "./calls.js";
import { count, decimal, fill, make, number } from "./dom.js";
import { CodePoints } from "./passage.js";
import { showPair } from "./pair.js";

const REASONS = {
  leak: "leak",
  source: "source: the passage alone, without the question",
  template: "template: other numbers",
  boilerplate: "boilerplate: a phrase of many documents",
  "similar item": "another item explains this place better",
  partial: "partial: less than the least share",
  chance: "no more than chance gives",
};

/** Whether a document is looked through for items. */
export const isGate = () => field("job").value === "contamination";

/** The body of a request for the items of a text. */
export const requestLeaks = (text, threshold) => ({ documents: [{ text }], threshold });

/** An answer as matches: leaks first, then what is no leak. */
export function listLeaks(found) {
  return { ...found, matches: [...found.leaks, ...found.left_out].map((each) => ({ ...each, score: each.containment })) };
}

/** How many leaks there are, in words. */
export function countLeaks(found) {
  const others = found.total_left_out ? `, and ${count(found.total_left_out, "place")} that ${found.total_left_out === 1 ? "is" : "are"} no leak` : "";
  return found.total ? `${count(found.total, "leak")}${others}` : `No leak${others}.`;
}

/** The text with its leaks marked, and each place beside its item. */
export function showLeaks(answer, matches) {
  const text = new CodePoints(answer.body.documents[0].text);
  return [showText(text, matches.filter((match) => match.kind === "leak")), make("ol", { class: "results" }, matches.map((match) => showLeak(match, answer)))];
}

/** The text; places of several items may lie over each other. */
function showText(text, leaks) {
  const body = make("div", { class: "traced", dir: "auto" });
  let at = 0;
  for (const leak of [...leaks].sort((x, y) => x.start - y.start)) {
    if (leak.end <= at) continue;
    const start = Math.max(leak.start, at);
    body.append(text.slice(at, start), make("mark", { class: "rare-3", title: nameItem(leak) }, text.slice(start, leak.end)));
    at = leak.end;
  }
  body.append(text.slice(at, text.length));
  return leaks.length ? body : null;
}

const nameItem = (leak) => [leak.eval_key, leak.config, leak.split, leak.eval_instance_index].filter((part) => part !== "").join(" · ");

function showLeak(match, answer) {
  const place = make("div");
  const open = async () => {
    if (place.firstChild) {
      fill(place);
      return;
    }
    const sides = { a: { text: answer.body.documents[0].text, start: match.start, end: match.end }, b: { text: match.eval_text } };
    try {
      fill(place, showPair(await call("/v1/compare", sides), ["your text", `${match.part} of ${nameItem(match)}`]));
    } catch (problem) {
      fill(place, make("p", { class: "warning" }, problem.message));
    }
  };
  const correct = match.is_correct === null ? "" : match.is_correct ? ", the correct one" : ", none that is correct";
  const answered = match.answer_found ? ` · an answer is beside it${correct}` : "";
  return make(
    "li",
    { class: match.kind === "leak" ? "leak" : "left-out" },
    make("h2", {}, make("bdi", {}, nameItem(match)), ` · ${match.part}`),
    make("p", { class: "place" }, `${REASONS[match.kind] ?? match.kind} · ${decimal(match.containment)} of the ${match.part} · characters ${number(match.start)} to ${number(match.end)}${answered}`),
    make("p", { class: "excerpt", dir: "auto" }, make("mark", {}, match.text)),
    make("button", { type: "button", click: open }, "Side by side"),
    place,
  );
}
