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

/** What an entry of a list is called: by its name where two have one title. @param {any} one @param {any[]} all @returns {string} */
export function titled(one, all) {
  const alone = all.filter((other) => other.title === one.title).length === 1;
  return one.title && (alone || one === all[0]) ? one.title : one.name.replaceAll("-", " ");
}
