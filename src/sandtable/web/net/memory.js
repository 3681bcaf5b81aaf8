// @ts-check
/**
 * What this browser last saw of a table, so that it comes back with "have 118" instead of nothing, and can show what
 * happened since. It is a cache: a hash that does not fit makes the server send everything.
 */

const PREFIX = "sandtable/seen/";
const LARGEST = 300_000; // characters
const KEPT = 8; // tables

/** @typedef {{ver: number, scene: Object<string, any>, log: any[], at: number}} Seen */

/** @param {string} table @param {number | null} seat */
const key = (table, seat) => `${PREFIX}${table}/${seat ?? "-"}`;

/** @param {string} table @param {number | null} seat @returns {Seen | null} */
export function recall(table, seat) {
  try {
    const seen = JSON.parse(localStorage.getItem(key(table, seat)) ?? "null");
    return Number.isInteger(seen?.ver) && seen.scene && Array.isArray(seen.log) ? seen : null;
  } catch {
    return null;
  }
}

/** @param {string} table @param {number | null} seat @param {Omit<Seen, "at">} seen */
export function remember(table, seat, seen) {
  try {
    const text = JSON.stringify({ ...seen, at: Date.now() });
    if (text.length > LARGEST) return localStorage.removeItem(key(table, seat));
    forget(KEPT - 1, key(table, seat));
    localStorage.setItem(key(table, seat), text);
  } catch {
    // A browser that keeps nothing only has to load more next time.
  }
}

/** Lets go of the oldest, all but so many. @param {number} kept @param {string} but */
function forget(kept, but) {
  const keys = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX) && name !== but);
  const age = (/** @type {string} */ name) => Number(/"at":(\d+)}$/.exec(localStorage.getItem(name) ?? "")?.[1] ?? 0);
  keys.sort((a, b) => age(b) - age(a));
  for (const name of keys.slice(kept)) localStorage.removeItem(name);
}
