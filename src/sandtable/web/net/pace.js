// @ts-check
/** How long to wait, and names nobody else has. */

const LONGEST = 30_000;
const DRAINED = 5_000; // after a restart all come back within so many milliseconds, not all at once

/** Milliseconds before the n-th try (from 0): 1, 2, 4 … 30 s, each between half of it and all.
 * @param {number} tried @param {boolean} drained whether the server said it would be gone for a moment */
export function pause(tried, drained) {
  if (drained && tried === 0) return Math.random() * DRAINED;
  const full = Math.min(LONGEST, 1000 * 2 ** tried);
  return full / 2 + (Math.random() * full) / 2;
}

/** So many random bytes as hexadecimal digits; `getRandomValues` works on plain http too. @param {number} bytes */
export function random(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The id of a command: in order of time, at most 26 signs. */
export const newId = () => Date.now().toString(36).padStart(9, "0") + random(8);
