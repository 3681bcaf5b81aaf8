// @ts-check
/** Panels of the scene, and what each seat has left or lost: names and numbers as the view gives them. */
import { make } from "./dom.js";
import { piece } from "./piece.js";
import { say } from "./words.js";

/** @param {import("../board/scene.js").Scene} scene @param {any} group of what is selected @returns {HTMLElement[]} */
export function panels(scene, group) {
  const shown = scene.entries("panel").filter(([, panel]) => panel.group === undefined || panel.group === group);
  return [...shown.map(([name, panel]) => draw(name, panel)), ...counts(scene)];
}

/** @param {string} name @param {any} panel */
function draw(name, panel) {
  if (typeof panel !== "object") return make("div.row.apart", {}, make("span", {}, name), make("span.num", {}, String(panel)));
  const lines = panel.lines ?? (panel.value === undefined ? [] : [[panel.label ?? "", panel.value]]);
  return make(
    "div.panel", { "data-panel": name },
    make("h3", {}, panel.title ?? panel.name ?? name),
    panel.text ? make("p.note", {}, panel.text) : null,
    ...lines.map((/** @type {[string, any]} */ [label, value]) => make("div.row.apart.note", {}, make("span", {}, label), make("span.num", {}, String(value)))),
  );
}

/** Who has how many left, and whom it has lost. @param {import("../board/scene.js").Scene} scene */
function counts(scene) {
  const seats = scene.entries("seat").filter(([, seat]) => seat.units !== undefined);
  return seats.map(([n, seat]) => {
    const lost = (seat.lost ?? []).map((/** @type {any} */ unit) => piece(typeof unit === "string" ? { kind: unit, side: seat.side } : { side: seat.side, ...unit }, scene.get("board"), 26));
    const gone = seat.of === undefined ? "" : say("counts.lost", { n: seat.of - seat.units });
    return make(
      "div.row.apart.note", { "data-count": n }, make("span", {}, seat.name),
      lost.length ? make("span.row.lost", { "aria-label": say("counts.lost", { n: lost.length }) }, ...lost) : null,
      make("span.num", {}, [say("counts.units", { n: seat.units }), gone].filter(Boolean).join(", ")),
    );
  });
}
