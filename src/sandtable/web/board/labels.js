// @ts-check
/** What a screen reader hears of a cell. Pages may bring other words. */

/** @import {Board} from "./board.js" @import {Value} from "./types.js" */

/** @type {Object<string, string>} */
export const WORDS = {
  board: "Board",
  hidden: "hidden",
  unknown: "somebody unknown",
  selected: "selected",
  source: "can act",
  reach: "reachable",
  target: "target",
  cost: "cost {cost}",
  blocked: "not possible",
  danger: "in danger, {odds}",
  "mark.moved": "has moved",
  "mark.acted": "has acted",
  "mark.lost": "will be lost",
};

/** "e2, swordsmen, White, has moved; reachable, cost 2" @param {Board} board @param {string} name */
export function label({ scene, words, sides, units, standing, selected, from, overlay, options }, name) {
  const ground = scene?.get(`cell/${name}`) ?? {};
  const keys = [...(standing.get(name) ?? []), `cell/${name}`];
  const marked = (/** @type {Value} */ { marks = [] }) => marks.map((/** @type {string} */ mark) => words[`mark.${mark}`] ?? mark);
  const here = [name, ground.terrain, sides.get(ground.side), ground.fog && words.hidden];
  for (const key of keys) {
    const unit = units.get(key)?.value; // as drawn: the scene may be ahead
    if (unit) here.push(unit.name ?? unit.kind ?? words.unknown, sides.get(unit.side), ...marked(unit));
  }
  here.push(...marked(ground));
  /** @type {unknown[]} */
  const state = [keys.includes(selected ?? "") ? words.selected : keys.some((key) => from.has(key)) && words.source];
  for (const { mark, odds, cost } of options.get(name)?.slice(0, 1) ?? []) {
    state.push(words[mark ?? ""] ?? words.reach, odds);
    if (cost != null) state.push(words.cost.replace("{cost}", String(cost)));
  }
  if (overlay.has(name)) state.push(words.danger.replace("{odds}", overlay.get(name) ?? ""));
  return [here, state].map((parts) => parts.filter(Boolean).join(", ")).filter(Boolean).join("; ");
}
