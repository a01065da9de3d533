// The files of a project: how they come, what was read of each, and their roles.

import { attempt, call, complain, send, tell } from "./calls.js";
import { fill, make, named, scroller, table } from "./dom.js";
import { explain, number, say } from "./words.js";

const ROLES = ["text", "source", "template"];
const AT_ONCE = 3;
const MOST_PROBLEMS = 5; // files that were not taken, of which the reason is said
const KIND = "application/x-ibidem-file";

/** Draw the files into `part`; `update(project)` is called with what the server says after each change. */
export function showFiles(part, project, update) {
  const bring = (role, files) => attempt(() => sendAll(project, role, files, async () => update(await call("project", { project: project.id }))));
  fill(
    part,
    make("h2", {}, say("step-files")),
    make("div", { class: "zones" }, ROLES.map((role) => showZone(role, project, bring, update))),
    project.files.length > 0 && showTable(project, update),
  );
}

/** A field to drop files on, for one role: those that are brought, and rows of the table. */
function showZone(role, project, bring, update) {
  const count = project.files.filter((file) => file.role === role && file.reading?.state === "read").length;
  const drop = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    zone.classList.remove("dropping");
    const id = event.dataTransfer.getData(KIND);
    if (id) await attempt(async () => update(await call("change_file", { project: project.id, file: id, role })));
    else bring(role === "text" ? "" : role, await filesOf(event.dataTransfer));
  };
  const over = (event) => (event.preventDefault(), zone.classList.add("dropping"));
  const zone = make(
    "div",
    { class: `zone ${role}`, dragover: over, dragenter: over, dragleave: () => zone.classList.remove("dropping"), drop },
    make("h3", {}, `${say(`role-${role}`)} (${number(count)})`),
    make("p", { class: "note" }, say(`about-${role}`)),
    role === "text" ? showChoosers(bring) : make("p", { class: "choosers" }, make("button", { type: "button", click: () => chooseFor(role, bring) }, say(`choose-${role}`))),
  );
  return zone;
}

/** The fields by which files are chosen without a mouse. */
function showChoosers(bring) {
  const choose = ({ target }) => {
    const files = [...target.files].map((file) => [file.webkitRelativePath || file.name, file]).filter(([name]) => name.split("/").every(isOfPerson));
    target.value = ""; // the same files may be chosen again
    bring("", files);
  };
  return make(
    "p",
    { class: "choosers" },
    make("label", { class: "button" }, say("choose-files"), make("input", { type: "file", id: "files", multiple: true, class: "hidden-field", change: choose })),
    make("label", { class: "button" }, say("choose-folder"), make("input", { type: "file", id: "folder", webkitdirectory: true, class: "hidden-field", change: choose })),
  );
}

/** Let a person choose files for one role. */
function chooseFor(role, bring) {
  const field = make("input", { type: "file", multiple: true, change: () => bring(role, [...field.files].map((file) => [file.name, file])) });
  field.click();
}

/** Whether a file or a folder is a person's: not hidden, and not what a system or an open Word puts beside. */
const isOfPerson = (name) => !/^(\.|~\$|__MACOSX$|thumbs\.db$|desktop\.ini$)/i.test(name);

/** The files of a drop, with those in folders: pairs of name and file. */
async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => [file.name, file]);
  return (await Promise.all(entries.map(walk))).flat();
}

async function walk(entry) {
  if (!isOfPerson(entry.name)) return [];
  if (entry.isFile) return [[entry.fullPath.replace(/^\//, ""), await new Promise((done, fail) => entry.file(done, fail))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!part.length) break; // a browser gives a hundred at a time
    found.push(...part);
  }
  return (await Promise.all(found.map(walk))).flat();
}

async function sendAll(project, role, files, sent) {
  if (!files.length) throw new Error(say("nothing-brought"));
  const waiting = [...files];
  const problems = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      tell(say("sending", { n: waiting.length + 1 }));
      await send("upload", { project: project.id, name: next[0], role }, next[1]).catch((problem) => problems.push(`${next[0]}: ${problem.message}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (problems.length < files.length) tell(say("sent", { n: files.length - problems.length }));
  await sent();
  const rest = problems.length - MOST_PROBLEMS;
  if (problems.length) complain(problems.slice(0, MOST_PROBLEMS).join(" "), rest > 0 && ` ${say("more-problems", { n: rest })}`);
}

const shownOf = (project) => project.files.filter((file) => file.reading?.state !== "unpacked");
const isLeftOut = (file) => file.reading?.state === "left out";

/** How many files are still to be read. */
export const unreadOf = (project) => project.files.filter((file) => file.reading === null).length;

/** How many files there are, and how many of them were not read or are still to be. */
export function countFiles(project) {
  const [left, waiting] = [shownOf(project).filter(isLeftOut).length, unreadOf(project)];
  const said = [say("files", { n: shownOf(project).length }), left > 0 && say("left-out-files", { n: left }), waiting > 0 && say("still-reading", { n: waiting })];
  return said.filter(Boolean).join(" · ");
}

/** The files, those first that were not read. */
function showTable(project, update) {
  const files = shownOf(project).sort((one, other) => isLeftOut(other) - isLeftOut(one));
  return [
    make("p", { class: "counts" }, countFiles(project), files.some(isLeftOut) && make("span", { class: "note" }, ` ${say("about-left-out-files")}`)),
    make("div", { class: "files" }, scroller(say("files-table"), table(say("files-table"), ["file", "role", "words", "pages", "encoding", "remove"].map((name) => [{ words: "number amount", pages: "number pages" }[name] ?? name, say(name)]), files.map((file) => showRow(file, project, update))))),
  ];
}

function showRow(file, project, update) {
  const ids = { project: project.id, file: file.id };
  const change = (changed) => attempt(async () => update(await call("change_file", { ...ids, ...changed })));
  const reading = file.reading;
  const isRead = reading?.state === "read";
  const drop = () => window.confirm(say("remove-file", { name: file.name })) && attempt(async () => update(await call("remove_file", ids)));
  const role = make(
    "select",
    { "aria-label": `${say("role")}: ${file.name}`, change: (event) => change({ role: event.target.value }) },
    [...ROLES, ...(file.role === "metadata" || reading?.state === "metadata" ? ["metadata"] : [])].map((each) => make("option", { value: each, selected: each === file.role }, say(`role-${each}`))),
  );
  const encoding = make("button", {
    type: "button",
    class: "link",
    title: say("change-encoding"),
    "aria-label": `${say("change-encoding")}: ${file.name}`,
    click: () => {
      const named = window.prompt(say("which-encoding"), file.named ?? reading?.encoding ?? "");
      if (named !== null) change({ encoding: named.trim() });
    },
  }, reading?.encoding ?? "utf-8");
  return make(
    "tr",
    { draggable: "true", class: isLeftOut(file) ? "left-out" : null, dragstart: (event) => event.dataTransfer.setData(KIND, file.id) },
    make("td", {}, named(file.name), make("div", { class: "what-read" }, describeReading(reading))),
    make("td", {}, role),
    make("td", { class: "number amount" }, isRead ? number(reading.words) : ""),
    make("td", { class: "number pages" }, isRead && reading.pages ? number(reading.pages) : ""),
    make("td", { class: "encoding" }, isRead && (file.named || reading.encoding || /\.(txt|md|html?)$/i.test(file.name)) ? encoding : ""),
    make("td", {}, make("button", { type: "button", "aria-label": `${say("remove")} ${file.name}`, click: drop }, "×")),
  );
}

function describeReading(reading) {
  if (reading === null) return say("being-read");
  if (reading.state === "left out") return make("strong", {}, `${say("not-read")}: ${explain(reading.problem)}`);
  if (reading.state === "metadata") return [`${say("describes")}: `, named(reading.columns.join(", "))];
  return reading.documents > 1 ? say("documents", { n: reading.documents }) : "";
}
