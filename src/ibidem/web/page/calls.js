// Calls of the service, and the places of the page that every view writes to.

import { fill } from "./dom.js";

export const field = (name) => document.getElementById(name);

/** The answer of the service; an `Error` with its words if it gave none. */
export async function call(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, { headers, signal, ...(body ? { method: "POST", body: JSON.stringify(body) } : {}) });
  const held = await response.json();
  if (response.status === 401) field("secret").hidden = false;
  if (!response.ok) throw new Error(held.detail ?? `the service answered ${response.status}`);
  return held;
}

/** An address with what is asked for as its query; what is null or empty is left out. */
export function address(path, asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `${path}?${new URLSearchParams(given)}`;
}

export function say(...words) {
  fill(field("said"), words);
}

/** The address of a document's view. */
export function documentAddress(index, document, start, end) {
  return `#${new URLSearchParams({ view: "document", index, document, start, end })}`;
}
