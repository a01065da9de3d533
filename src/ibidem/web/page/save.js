// What can be taken away: a report as one file, with or without names, and tables for other programs.

import { attempt, save, tell } from "./calls.js";
import { fill, make } from "./dom.js";
import { language, say } from "./words.js";

/** Show what can be saved of an answer of a project. */
export function showSaving(body, answer) {
  const check = (id, label) => {
    const field = make("input", { type: "checkbox", id, checked: true });
    return [field, make("div", {}, field, make("label", { for: id }, say(label)))];
  };
  const [[names, withNames], [texts, withTexts], [marks, withMarks]] = [check("names", "with-names"), check("texts", "with-texts"), check("marks", "with-marks")];
  const title = make("input", { type: "text", id: "title", value: answer.name });
  const blank = make("textarea", { id: "blank", rows: "5" }, guessNames(answer.documents).join("\n"));
  const ask = (key, kind) =>
    attempt(async () => {
      const name = `${title.value.replace(/[\\/:*?"<>|]+/g, " ").trim() || say("report")}${kind}`;
      tell(say("preparing"));
      const asked = { title: title.value, names: names.checked, texts: texts.checked, marks: marks.checked, key, language: language(), blank: names.checked ? [] : blank.value.split("\n").filter((line) => line.trim()) };
      await save("report", { ...answer.ids, ...asked }, name);
      tell(say("saved", { name }));
    });
  const unnamed = [
    make("div", { hidden: true }, make("label", { for: "blank" }, say("blank-names")), blank),
    make("p", { hidden: true }, make("button", { type: "button", click: () => ask(true, " key.csv") }, say("save-key")), make("span", { class: "note" }, say("about-key"))),
  ]; // what only a report without names needs
  names.addEventListener("change", () => unnamed.forEach((part) => (part.hidden = names.checked)));
  const showFile = (name) => make("li", {}, make("button", { type: "button", class: "link", click: () => attempt(async () => (await save("download", { ...answer.ids, name }, name), tell(say("saved", { name })))) }, name), ` ${say(`about-${name}`)}`);
  const more = answer.downloads.filter((name) => !isTable(name));
  fill(
    body,
    answer.kind !== "search" && [
      make("h2", {}, say("report")),
      make("p", { class: "note" }, say("about-report")),
      make(
        "form",
        { class: "saving", submit: (event) => event.preventDefault() },
        make("div", {}, make("label", { for: "title" }, say("title")), title),
        withNames,
        unnamed[0],
        withTexts,
        answer.marks.size > 0 && withMarks,
        make("p", {}, make("button", { type: "button", class: "main", click: () => ask(false, ".html") }, say("save-report"))),
        unnamed[1],
      ),
    ],
    answer.downloads.length > 0 && [make("h2", {}, say("other-programs")), make("p", { class: "note" }, say("about-other-programs")), make("ul", {}, answer.downloads.filter(isTable).map(showFile)), more.length > 0 && make("details", { class: "more" }, make("summary", {}, say("more-files")), make("ul", {}, more.map(showFile)))],
    make("h2", {}, say("one-case")),
    make("p", {}, say("about-one-case")),
  );
}

/** Whether a file is for spreadsheets, or holds texts: all others are for who knows their formats. */
const isTable = (name) => name.endsWith(".csv") || name === "kept.zip";

/** What the names of files and the authors tell of people, whole and word by word, but no common word: a list to be looked through. */
function guessNames(documents) {
  const found = documents.filter((each) => each.role === "text").flatMap((each) => [each.author ?? "", each.name.split("/").pop().replace(/\.[^.]*$/, "").replace(/[_\-.,;()\d]+/g, " ")]);
  const names = found.map((name) => name.normalize("NFC").trim().replace(/\s+/g, " "));
  return [...new Set(names.flatMap((name) => [name, ...name.split(" ")]))].filter((name) => [...name].length > 2).sort();
}
