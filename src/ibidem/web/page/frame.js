// What every page of a server has around its views: the language, a field for a token, and what comes late for a view that was left.

import { call, complain, tell } from "./calls.js";
import { fill, make } from "./dom.js";
import { focusHeading, redraw } from "./focus.js";
import { LANGUAGES, chooseLanguage, language, say } from "./words.js";

const field = (id) => document.getElementById(id);

let shown = 0; // counts what was shown, so that what comes late for another view is dropped
let moved = false; // whether a person came here from another view

/** Show a view now and whenever the address changes: `show(main, current)`, with `footer()` below it. */
export function beginPage(show, footer) {
  const draw = async () => {
    const mine = ++shown;
    const current = () => mine === shown;
    document.documentElement.lang = language();
    showFoot(footer, draw);
    field("main").setAttribute("aria-busy", "true");
    tell();
    try {
      await show(field("main"), current);
    } catch (problem) {
      if (current()) showProblem(problem, draw);
    }
    if (!current()) return;
    showFoot(footer, draw); // which may know more by now
    ready();
  };
  const go = () => ((moved = true), draw());
  window.addEventListener("hashchange", go);
  window.addEventListener("dragover", (event) => event.preventDefault()); // a file that misses its field opens no page
  window.addEventListener("drop", (event) => event.preventDefault());
  draw();
  return go;
}

/** Say that all of the view is there, and go to it. */
export function ready() {
  field("main").setAttribute("aria-busy", "false");
  if (moved) focusHeading(field("main"));
  moved = false;
}

/** A view that cannot be shown, such as one that was removed; or one that needs a token. */
export function showProblem(problem, draw) {
  const token = make("input", { id: "token", type: "password", autocomplete: "off" });
  const keep = (event) => (event.preventDefault(), sessionStorage.setItem("token", token.value), draw());
  fill(
    field("main"),
    make("h1", { tabindex: "-1" }, say("not-shown")),
    make("p", { role: "alert" }, problem.message),
    problem.asksToken && make("form", { class: "controls", submit: keep }, make("label", { for: "token" }, say("token")), token, make("button", { type: "submit" }, say("begin"))),
    make("p", {}, make("a", { href: "#" }, say("to-begin"))),
  );
}

/** Say something in the place of all views, of which none is shown any more. */
export function endPage(title, words) {
  shown += 1;
  document.title = title;
  fill(field("head"), make("p", { class: "name" }, "ibidem"));
  fill(field("main"), make("h1", { tabindex: "-1" }, title), make("p", {}, words));
  fill(field("foot"));
  focusHeading(field("main"));
}

function showFoot(footer, draw) {
  const options = Object.entries(LANGUAGES).map(([code, name]) => make("option", { value: code, selected: code === language() }, name));
  const choice = make("select", { id: "language", change: (event) => (chooseLanguage(event.target.value), draw()) }, options);
  redraw(field("foot"), () => fill(field("foot"), make("span", {}, footer(), " "), make("label", { for: "language" }, `${say("language")} `), choice));
}
