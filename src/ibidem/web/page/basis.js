// What an answer rests on: what was not read, what was left out and why, the settings, and what its numbers do not say.

import { fill, inLine, make, named, scroller, shorten, table } from "./dom.js";
import { explain, formatTime, number, say } from "./words.js";

/** What every answer says of itself, for those who look at it and for print. */
export function showBasis(answer) {
  const { notRead, settings, reasons } = answer;
  const value = (name, given) => (given === null ? say("by-itself") : Array.isArray(given) ? (given.length === 0 ? "–" : given.map((each, at) => [at > 0 && ", ", named(each)])) : typeof given === "boolean" ? say(given ? "yes" : "no") : typeof given === "number" ? number(given) : say(`choice-${given}`));
  return make(
    "section",
    { class: "basis", "aria-label": say("basis") },
    make("h2", {}, say("meaning")),
    make("ul", {}, ["source", "chance", "order"].map((name) => make("li", {}, say(`meaning-${name}`)))),
    make("h2", {}, notRead ? say(notRead.length ? "not-read-files" : "all-read", { n: notRead.length }) : say("not-read-unknown")),
    notRead?.length > 0 && make("ul", {}, notRead.map(([name, why]) => make("li", {}, named(name), `: ${explain(why)}`))),
    make("h2", {}, say("settings-used")),
    make("p", { class: "note" }, inLine(`ibidem ${answer.version}`, answer.asked && formatTime(answer.asked))),
    Object.keys(settings).length === 0 && make("p", {}, say("settings-unknown")),
    make("dl", {}, Object.entries(settings).map(([name, given]) => [make("dt", {}, say(`set-${name}`)), make("dd", {}, value(name, given))])),
    reasons.length > 0 && make("ul", { class: "note" }, reasons.map((why) => make("li", {}, explain(why)))),
  );
}

/** What was found and left out, with the reason of each, and what the answer rests on. */
export function showLeftOut(body, answer) {
  const reasons = Object.entries(answer.setAside);
  const all = reasons.reduce((sum, [, count]) => sum + count, 0);
  const wanted = make("select", { id: "reason", change: () => draw() }, make("option", { value: "" }, say("all-reasons")), reasons.map(([name]) => make("option", { value: name }, say(`reason-${name}`))));
  const place = make("div");
  const draw = () => fill(place, scroller(say("part-leftout"), table(say("part-leftout"), ["reason", "first", "second", "passage"].map((name) => [name, say(name)]), groupShared(answer.leftOut).filter((row) => !wanted.value || row.reason === wanted.value).map(showLeftOutRow))));
  fill(
    body,
    make("h2", {}, say("left-out")),
    reasons.length ? make("ul", {}, reasons.map(([name, count]) => make("li", {}, make("strong", {}, `${number(count)} ${say(`reason-${name}`)}`), `: ${say(`about-reason-${name}`)}`))) : make("p", {}, say("nothing-left-out")),
    answer.subtracted.length > 0 && make("details", {}, make("summary", {}, say("subtracted", { n: answer.subtracted.length })), make("ul", {}, answer.subtracted.slice(0, 200).map((words) => make("li", { dir: "auto" }, words)))),
    answer.leftOut.length > 0 && [make("p", { class: "controls" }, make("label", { for: "reason" }, say("reason")), wanted), all > answer.leftOut.length && make("p", { class: "note" }, say("first-left-out", { n: answer.leftOut.length, all })), place],
    showBasis(answer),
  );
  if (answer.leftOut.length) draw();
}

/** What many documents share is a group, in which none is the partner of another: its rows as one. */
function groupShared(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = row.reason === "frequent" ? (row.a_text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ") : groups.size; // the same words
    if (groups.has(key)) groups.get(key).group.add(row.b);
    else groups.set(key, { ...row, group: row.reason === "frequent" ? new Set([row.a, row.b]) : null });
  }
  return [...groups.values()];
}

function showLeftOutRow({ reason, a, b, group, a_text: text }) {
  const sides = group ? [make("td", { colspan: "2" }, say("group-of", { n: group.size }))] : [a, b].map((name) => make("td", {}, named(name)));
  return make("tr", {}, make("td", {}, say(`reason-${reason}`)), sides, make("td", { class: "excerpt", dir: "auto" }, make("div", {}, shorten(text ?? ""))));
}
