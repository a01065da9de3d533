// What can be taken away: a report as one file, with or without names, and tables for other programs.

import { attempt, save, tell } from "./api.js";
import { fill, make } from "./dom.js";
import { language, say } from "./words.js";

export function showSaving(body, answer) {
  const names = make("input", { type: "checkbox", id: "names", checked: true, change: () => unnamed.forEach((part) => (part.hidden = names.checked)) });
  const texts = make("input", { type: "checkbox", id: "texts", checked: true });
  const marks = make("input", { type: "checkbox", id: "marks", checked: true });
  const title = make("input", { type: "text", id: "title", value: answer.name });
  const blank = make("textarea", { id: "blank", rows: "5" }, guessNames(answer.documents).join("\n"));
  const unnamed = [
    make("div", { hidden: true }, make("label", { for: "blank" }, say("blank-names")), blank),
    make("p", { hidden: true }, make("button", { type: "button", click: () => ask(true, "key.csv") }, say("save-key")), make("span", { class: "note" }, say("about-key"))),
  ]; // what only a report without names needs
  const ask = (key, name) =>
    attempt(async () => {
      tell(say("preparing"));
      const asked = { title: title.value, names: names.checked, texts: texts.checked, marks: marks.checked, key, language: language(), blank: names.checked ? [] : blank.value.split("\n").filter((line) => line.trim()) };
      await save("POST", `${answer.path}/report`, asked, name);
      tell(say("saved", { name }));
    });
  const files = answer.downloads.filter((name) => name !== "report.html");
  fill(
    body,
    answer.downloads.includes("report.html") && [
      make("h2", {}, say("report")),
      make("p", { class: "note" }, say("about-report")),
      make(
        "form",
        { class: "saving", submit: (event) => event.preventDefault() },
        make("div", {}, make("label", { for: "title" }, say("title")), title),
        make("div", {}, names, make("label", { for: "names" }, say("with-names"))),
        unnamed[0],
        make("div", {}, texts, make("label", { for: "texts" }, say("with-texts"))),
        answer.marks.size > 0 && make("div", {}, marks, make("label", { for: "marks" }, say("with-marks"))),
        make("p", {}, make("button", { type: "button", class: "main", click: () => ask(false, "report.html") }, say("save-report"))),
        unnamed[1],
      ),
    ],
    files.length > 0 && [
      make("h2", {}, say("other-programs")),
      make("p", { class: "note" }, say("about-other-programs")),
      make("ul", {}, files.map((name) => make("li", {}, make("button", { type: "button", class: "link", click: () => attempt(async () => (await save("GET", `${answer.path}/files/${encodeURIComponent(name)}`, undefined, name), tell(say("saved", { name })))) }, name), ` ${say(`about-${name}`)}`))),
    ],
    make("h2", {}, say("one-case")),
    make("p", {}, say("about-one-case")),
  );
}

/** What the names of files and the authors tell of people, whole and word by word: a list to be looked through. */
function guessNames(documents) {
  const found = documents.filter((each) => each.role === "text").flatMap((each) => [each.author ?? "", each.name.split("/").pop().replace(/\.[^.]*$/, "").replace(/[_\-.,;()\d]+/g, " ")]);
  const names = found.map((name) => name.normalize("NFC").trim().replace(/\s+/g, " "));
  return [...new Set(names.flatMap((name) => [name, ...name.split(" ")]))].filter((name) => [...name].length > 2).sort();
}
