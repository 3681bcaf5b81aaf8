// @ts-check
/**
 * The symbols of art/symbols.svg, taken into the page once, so that `<use href="#t-guard">` and the hatchings work in it.
 * An id is a game's letter and a kind. Two games may have one kind: the first is meant, unless the board's `art` says which.
 */

/** @type {Map<string, string>} id, or kind → the first id that ends in it */
const ids = new Map();
/** @type {Promise<void> | null} */
let coming = null;

/** Brings them once; without them letters stand on the blocks. */
export function loadSigns() {
  coming ??= fetch(new URL("../art/symbols.svg", import.meta.url))
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`symbols: ${answer.status}`))))
    .then((text) => {
      const drawn = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
      drawn.setAttribute("aria-hidden", "true");
      drawn.setAttribute("class", "signs");
      document.body.prepend(drawn);
      for (const { id } of drawn.querySelectorAll("[id]")) {
        const kind = id.slice(id.indexOf("-") + 1);
        ids.set(id, id).set(kind, ids.get(kind) ?? id);
      }
    });
  return coming;
}

/** The id for a kind; null when there is none, or none yet. @param {string} kind @param {string} [art] @returns {string | null} */
export function sign(kind, art = "") {
  return ids.get(`${art}-${kind}`) ?? ids.get(kind) ?? null;
}
