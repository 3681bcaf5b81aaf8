// @ts-check
/** The units on the board and their elements, used again as long as they live. */
import { ink, set } from "./ink.js";
import { slide, tip } from "./motion.js";

/** @import {Board} from "./board.js" @import {Cell, Standing, Value} from "./types.js" */

export class Army {
  /** @param {SVGElement} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {Map<string, Standing>} */ this.units = new Map(); // by key
    /** @type {Map<string, Set<string>>} */ this.standing = new Map(); // name of a cell → keys of its units
  }

  clear() {
    this.units.clear();
    this.standing.clear();
    this.layer.replaceChildren();
  }

  /** One gone and one come of the same kind and side is one that moved. Answers what still moves.
   * @param {Board} board @param {Iterable<string>} keys @param {number} speed @param {Set<string>} dirty cells, added to */
  draw({ scene, blocks, shape, field }, keys, speed, dirty) {
    /** @type {Standing[]} */ let gone = [];
    /** @type {{key: string, value: Value, cell: Cell, old?: Standing}[]} */ const come = [];
    for (const key of keys) {
      const [before, value] = [this.units.get(key), scene?.get(key)];
      if (before?.value === value) continue;
      if (before) {
        gone.push(before);
        this.units.delete(key);
        this.standing.get(before.cell.name)?.delete(key);
        dirty.add(before.cell.name);
      }
      const cell = value?.at && shape.place(field, value.at);
      if (cell) come.push({ key, value, cell });
    }
    for (const exact of [true, false]) {
      for (const unit of come) {
        const fits = (/** @type {Standing} */ { key, value }) =>
          value.kind === unit.value.kind && value.side === unit.value.side && (!exact || key === unit.key);
        unit.old ??= gone.find(fits);
        gone = gone.filter((other) => other !== unit.old);
      }
    }
    const moving = come.map(({ key, value, cell, old }) => {
      const body = old?.body ?? ink("g");
      const group = old?.group ?? ink("g", {}, body);
      set(group, "class", blocks.look(value));
      set(group, "transform", blocks.at(cell));
      body.replaceChildren(...blocks.parts(value));
      this.layer.append(group); // what moved last lies on top
      this.units.set(key, { key, value, cell, group, body });
      this.standing.set(cell.name, (this.standing.get(cell.name) ?? new Set()).add(key));
      dirty.add(cell.name);
      if (!speed || !old || old.cell === cell) return null;
      return slide(body, { x: old.cell.x - cell.x, y: old.cell.y - cell.y }, shape.steps(old.cell, cell), speed);
    });
    for (const { group, body } of gone) {
      if (speed) moving.push(tip(body, speed).then(() => group.remove()));
      else group.remove();
    }
    return moving;
  }
}
