// Calls of the server, and addresses within the page.

import { fill } from "./dom.js";
import { explain, say } from "./words.js";

/** The answer of the server as a value; an `Error` with its words if it gave none. */
export async function call(method, path, body) {
  const response = await ask(method, path, body);
  return response.json();
}

async function ask(method, path, body) {
  const sent = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...sent }).catch(() => {
    throw new Error(say("gone"));
  });
  if (!response.ok) throw new Error(explain((await response.json().catch(() => ({}))).detail ?? String(response.status)));
  return response;
}

/** Save what the server answers as a file of this name. */
export async function save(method, path, body, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await (await ask(method, path, body)).blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Send a file; `role` may be empty. */
export async function send(project, name, role, file) {
  const path = `/v1/projects/${project}/files?${new URLSearchParams({ name, role })}`;
  const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file }).catch(() => {
    throw new Error(say("gone"));
  });
  if (!response.ok) throw new Error(`${name}: ${explain((await response.json().catch(() => ({}))).detail ?? String(response.status))}`);
}

/** An address within the page. */
export const place = (parts) => `#${new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== null && value !== undefined))}`;

const SHOWN = 8000; // ms that words stay which nobody has to act on

let isProblem = false;
let ending = 0;

/** Say how something goes, where screen readers hear it: for a while, and not over a problem. */
export function tell(...words) {
  if (isProblem && words.length) return;
  isProblem = false;
  clearTimeout(ending);
  fill(document.getElementById("said"), words);
  ending = setTimeout(() => tell(), SHOWN);
}

/** Say what went wrong: it stays until the next thing is done. */
export function complain(...words) {
  tell();
  clearTimeout(ending);
  fill(document.getElementById("said"), words);
  isProblem = true;
}

/** Do what a person asked for; what goes wrong is said. */
export async function attempt(work) {
  try {
    tell();
    return await work();
  } catch (problem) {
    complain(problem.message);
    return undefined;
  }
}
