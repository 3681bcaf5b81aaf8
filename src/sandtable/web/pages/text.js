// @ts-check
/** Words about seats and tables that several pages say. */
import { say } from "./words.js";

/** Who sits there, for everybody to read. @param {any} seat of a head or of presence @param {string} [side] */
export function player(seat, side = "") {
  if (!seat) return side;
  if (seat.kind === "open") return say("seat.open");
  if (seat.kind === "machine") return say("seat.machine", { name: seat.name });
  return seat.name || say("seat.guest");
}

/** @param {any} head @returns {string} */
export const against = (head) =>
  head.seats.filter((/** @type {any} */ seat) => !seat.you).map((/** @type {any} */ seat) => player(seat)).join(", ") || say("seat.yourself");

/** @param {any} changed keys and values of a scene @returns {Object<string, any>} */
export const values = (changed) => Object.fromEntries(changed);
