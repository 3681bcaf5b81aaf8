// @ts-check
/** Elements of a page. Data comes in as text nodes and attributes, never as markup. */
import { ink } from "../board/ink.js";

/** @typedef {Node | string | null | undefined | false} Part */

/** `make("button.act.low", {onclick, disabled: true}, "Undo")`; functions are listeners, false and null are left out.
 * @param {string} kind @param {Object<string, any>} [attributes] @param {Part[]} parts @returns {any} */
export function make(kind, attributes = {}, ...parts) {
  const [tag, ...looks] = kind.split(".");
  const element = document.createElement(tag);
  if (looks.length) element.className = looks.join(" ");
  if (tag === "button") element.setAttribute("type", "button");
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : String(value));
  }
  return fill(element, ...parts);
}

/** Puts these in place of everything inside. @template {Element} T @param {T} element @param {Part[]} parts @returns {T} */
export function fill(element, ...parts) {
  element.replaceChildren(.../** @type {(Node | string)[]} */ (parts.filter((part) => part || part === "")));
  return element;
}

/** Writes words only where they differ, so that live regions speak once. @param {Element} element @param {string} words */
export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** A sign of art/symbols.svg (see board/signs.js). @param {string} name @param {number} [size] @param {string} [look] */
export function icon(name, size = 20, look = "") {
  return ink("svg", { class: `ic ${look}`, width: size, height: size, "aria-hidden": "true" }, ink("use", { href: `#${name}`, width: size, height: size }));
}

/** The table of sand with its two blocks. @param {number} size */
export function logo(size) {
  const piece = (/** @type {string} */ tag, /** @type {any} */ at, /** @type {string} */ look) => ink(tag, { ...at, class: look });
  return ink(
    "svg", { width: size, height: size, viewBox: "0 0 26 26", "aria-hidden": "true", class: "logo" },
    piece("path", { d: "M2 8H24V20H2Z" }, "sand"),
    piece("path", { d: "M2 15C7 11 10 18 15 14S21 12 24 14" }, "dune"),
    piece("rect", { x: 5, y: 5, width: 6, height: 6 }, "first"),
    piece("rect", { x: 15, y: 9, width: 6, height: 6 }, "second"),
    piece("path", { d: "M4.5 20V24M21.5 20V24" }, "legs"),
  );
}

/** @param {string} id @returns {any} an element the page's HTML has */
export const the = (id) => document.getElementById(id);
