// The files of a project: how they come, what was read of each, and their roles.

import { attempt, call, send, tell } from "./api.js";
import { fill, make, number } from "./dom.js";
import { explain, say } from "./words.js";

const ROLES = ["text", "source", "template"];
const AT_ONCE = 3;
const KIND = "application/x-ibidem-file";

/** Draw the files into `part`; `update(project)` is called with what the server says after each change. */
export function showFiles(part, project, update) {
  const path = `/v1/projects/${project.id}`;
  const bring = (role, files) => attempt(() => sendAll(project, role, files, async () => update(await call("GET", path))));
  const open = part.querySelector("details.by-path")?.open ?? false;
  fill(
    part,
    make("h2", {}, say("step-files")),
    make("div", { class: "zones" }, ROLES.map((role) => showZone(role, project, bring, update))),
    make("details", { class: "by-path", open }, make("summary", {}, say("by-path")), showPath(project, update)),
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
    if (id) await attempt(async () => update(await call("PUT", `/v1/projects/${project.id}/files/${id}`, { role })));
    else bring(role === "text" ? "" : role, await filesOf(event.dataTransfer));
  };
  const over = (event) => (event.preventDefault(), zone.classList.add("dropping"));
  const zone = make(
    "div",
    { class: `zone ${role}`, dragover: over, dragenter: over, dragleave: () => zone.classList.remove("dropping"), drop },
    make("h3", {}, `${say(`role-${role}`)} (${number(count)})`),
    make("p", { class: "note" }, say(`about-${role}`)),
    role === "text" && showChoosers(bring),
  );
  return zone;
}

/** The fields by which files are chosen without a mouse. */
function showChoosers(bring) {
  const choose = (event) => bring("", [...event.target.files].map((file) => [file.webkitRelativePath || file.name, file]));
  return make(
    "p",
    { class: "choosers" },
    make("label", { class: "button" }, say("choose-files"), make("input", { type: "file", multiple: true, class: "hidden-field", change: choose })),
    make("label", { class: "button" }, say("choose-folder"), make("input", { type: "file", webkitdirectory: true, class: "hidden-field", change: choose })),
  );
}

function showPath(project, update) {
  const field = make("input", { type: "text", id: "path", required: true, placeholder: say("path-example") });
  const role = make("select", { "aria-label": say("role") }, make("option", { value: "" }, say("role-by-folder")), ROLES.map((each) => make("option", { value: each }, say(`role-${each}`))));
  const take = (event) => {
    event.preventDefault();
    attempt(async () => update(await call("POST", `/v1/projects/${project.id}/paths`, { path: field.value, role: role.value || null })));
  };
  return make("form", { class: "controls", submit: take }, make("label", { for: "path" }, say("path")), field, role, make("button", { type: "submit" }, say("take")));
}

/** The files of a drop, with those in folders: pairs of name and file. */
async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => [file.name, file]);
  return (await Promise.all(entries.map(walk))).flat();
}

async function walk(entry) {
  if (entry.name.startsWith(".")) return [];
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
  const waiting = [...files];
  const problems = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      tell(say("sending", { n: waiting.length + 1 }));
      await send(project.id, next[0], role, next[1]).catch((problem) => problems.push(problem.message));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await sent();
  tell(problems.length ? problems.slice(0, 5).join(" ") : say("sent", { n: files.length }));
}

function showTable(project, update) {
  const files = project.files.filter((file) => file.reading?.state !== "unpacked");
  const left = files.filter((file) => file.reading?.state === "left out").length;
  const waiting = files.filter((file) => file.reading === null).length;
  const said = [say("files", { n: files.length }), left > 0 && say("left-out-files", { n: left }), waiting > 0 && say("still-reading", { n: waiting })];
  return [
    make("p", { class: "counts" }, said.filter(Boolean).join(" · ")),
    make(
      "div",
      { class: "scroller files", tabindex: "0", role: "region", "aria-label": say("files-table") },
      make(
        "table",
        { "aria-label": say("files-table") },
        make("thead", {}, make("tr", {}, ["file", "role", "words", "pages", "encoding", "what-read", "remove"].map((name) => make("th", { scope: "col", class: name === "words" || name === "pages" ? "number" : null }, say(name))))),
        make("tbody", {}, files.map((file) => showRow(file, project, update))),
      ),
    ),
  ];
}

function showRow(file, project, update) {
  const path = `/v1/projects/${project.id}/files/${file.id}`;
  const change = (changed) => attempt(async () => update(await call("PUT", path, changed)));
  const reading = file.reading;
  const isRead = reading?.state === "read";
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
    { draggable: "true", class: reading?.state === "left out" ? "left-out" : null, dragstart: (event) => event.dataTransfer.setData(KIND, file.id) },
    make("td", {}, make("bdi", {}, file.name)),
    make("td", {}, role),
    make("td", { class: "number" }, isRead ? number(reading.words) : ""),
    make("td", { class: "number" }, isRead && reading.pages ? number(reading.pages) : ""),
    make("td", {}, isRead && (file.named || reading.encoding || /\.(txt|md|html?)$/i.test(file.name)) ? encoding : ""),
    make("td", {}, describeReading(reading)),
    make("td", {}, make("button", { type: "button", "aria-label": `${say("remove")} ${file.name}`, click: () => attempt(async () => update(await call("DELETE", path))) }, "×")),
  );
}

function describeReading(reading) {
  if (reading === null) return say("being-read");
  if (reading.state === "left out") return make("strong", {}, `${say("not-read")}: ${explain(reading.problem)}`);
  if (reading.state === "metadata") return [`${say("describes")}: `, make("bdi", {}, reading.columns.join(", "))];
  return reading.documents > 1 ? say("documents", { n: reading.documents }) : "";
}
