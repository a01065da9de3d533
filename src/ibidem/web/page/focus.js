// Where a person is: parts that are drawn again keep the focus, what was typed, and how far they were scrolled.

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";

/** What tells an element from the others of its part, whatever is drawn. */
function identify(element) {
  const name = element.name && `${element.name} ${element.value}`;
  return `${element.tagName} ${element.id || element.getAttribute("aria-label") || name || element.textContent}`;
}

const stopsOf = (part) => [...part.querySelectorAll(STOPS)].filter((each) => !each.disabled && each.checkVisibility());

/** Draw a part again. Who had the focus in it has it still: on the same element, else on one beside it. */
export function redraw(part, draw) {
  const held = document.activeElement;
  const at = stopsOf(part).indexOf(held);
  const typed = new Map([...part.querySelectorAll("[data-kept]")].map((each) => [identify(each), each]));
  const scrolled = [...part.querySelectorAll(".scroller")].map((each) => [identify(each), each.scrollTop, each.scrollLeft]);
  draw();
  for (const field of part.querySelectorAll("[data-kept]")) if (typed.has(identify(field))) keep(typed.get(identify(field)), field);
  for (const scroller of part.querySelectorAll(".scroller")) {
    const [, top, left] = scrolled.find(([key]) => key === identify(scroller)) ?? [];
    if (top || left) scroller.scrollTo(left, top);
  }
  if (at < 0) return;
  const stops = stopsOf(part);
  const same = stops.find((each) => identify(each) === identify(held)) ?? stops[Math.min(at, stops.length - 1)];
  if (same) same.focus({ preventScroll: true });
  else focusHeading(document.getElementById("main"));
}

/** Take over what a person did in a field: a choice only if it is still there. */
function keep(before, field) {
  if (field.tagName === "DETAILS") field.open = before.open;
  else if (field.type === "checkbox") field.checked = before.checked;
  else if (field.tagName !== "SELECT" || [...field.options].some((each) => each.value === before.value)) field.value = before.value;
}

/** Go to the heading of what is shown: from there the next stop is the first in it. */
export function focusHeading(main) {
  const heading = main.querySelector("h2[tabindex]") ?? main.querySelector("h1");
  heading?.focus({ preventScroll: true });
}
