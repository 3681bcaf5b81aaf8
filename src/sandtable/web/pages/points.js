// @ts-check
/** Points of a turn as a row of boxes: spent, in this move, left after it. */
import { make } from "./dom.js";
import { say } from "./words.js";

const MOST = 30; // boxes; beyond that a bar in three parts

/** @param {number} points left now @param {number} of in all @param {number} after left after what is looked at */
export function bar(points, of, after) {
  const whole = Math.max(points, of);
  const used = Math.max(0, points - after);
  const look = (/** @type {number} */ n) => (n < whole - points ? "spent" : n < whole - after ? "used" : "free");
  const boxes = whole <= MOST ? Array.from({ length: whole }, (_, n) => make(`i.${look(n)}`)) : [];
  const parts = [[whole - points, "spent"], [used, "used"], [after, "free"]];
  if (!boxes.length) {
    for (const [n, name] of parts) {
      const part = make(`i.${name}`);
      part.style.flexGrow = String(n);
      if (Number(n) > 0) boxes.push(part);
    }
  }
  const words = make(
    "div.row.apart.note.num", {}, make("span", {}, whole > points ? say("points.spent", { n: whole - points }) : ""),
    used ? make("span.accent", {}, say("points.used", { n: used })) : null,
    used ? make("span", {}, say("points.after", { n: after })) : null,
  );
  return [make("div.boxes", { "aria-hidden": "true" }, ...boxes), words];
}
