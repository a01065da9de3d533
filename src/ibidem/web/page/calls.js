// Requests of the server by their names, and what is said of how they go.

import { fill } from "./dom.js";
import { explain, say } from "./words.js";

let requests = null; // the method and the path of each, as the server declares them

/** The answer to a request by its name; an `Error` with the server's words if it gave none. */
export async function call(name, values = {}, signal = undefined) {
  return (await ask(name, values, signal)).json();
}

async function ask(name, values, signal, bytes) {
  requests ??= await (await reach("/page/requests.json", {})).json();
  const [method, path] = requests[name];
  const left = { ...values };
  const place = path.replace(/\{(\w+)\}/g, (_, part) => {
    const value = left[part];
    delete left[part];
    return encodeURIComponent(value);
  });
  const inAddress = method === "GET" || method === "DELETE" || bytes;
  const given = new URLSearchParams(inAddress ? Object.entries(left).filter(([, value]) => value !== null && value !== undefined && value !== "") : {});
  const body = bytes ? { headers: { "Content-Type": "application/octet-stream" }, body: bytes } : inAddress ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(left) };
  return reach(`${place}${inAddress && `${given}` ? `?${given}` : ""}`, { method, signal, ...body });
}

async function reach(path, options) {
  const token = sessionStorage.getItem("token");
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(path, { ...options, headers }).catch((problem) => {
    throw problem.name === "AbortError" ? problem : new Error(say("gone"));
  });
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw Object.assign(new Error(explain(said.detail ?? String(response.status))), { status: response.status, asksToken: response.headers.has("WWW-Authenticate") });
}

/** Save what the server answers as a file of this name. */
export async function save(request, values, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await (await ask(request, values)).blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Send a file. */
export const send = (request, values, file) => ask(request, values, undefined, file);

/** An address within the page. */
export const place = (parts) => `#${new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== null && value !== undefined))}`;

/** The parts of the address within the page. */
export const readPlace = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

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
