// @ts-check
/** A match as a list of plies that can be walked both ways: the scene at a ply, and what each ply brought. */
import { Scene } from "../board/scene.js";

/** @typedef {{row: number, seat: number | null, text: string, ch: [string, any][], log: any[], roll: any}} Ply */
/** @typedef {{name: string, lines: {seat: string, values: number[]}[]}} Plot a number of every seat, ply by ply */

export class Course {
  /** @param {any} first the onlooker's first scene @param {Ply[]} plies */
  constructor(first, plies) {
    this.plies = plies;
    this.scene = new Scene(first);
    this.at = 0; // how many plies have been played
    /** @type {[string, any][][]} the way back, by ply */ this.back = [];
    /** @type {{number: number, ply: number}[]} where each turn begins */ this.turns = [];
    /** @type {number[]} plies that took somebody off the board */ this.captures = [];
    /** @type {number[]} rolls of equal dice */ this.equals = [];
    /** @type {Plot[]} */ this.plots = [];
    this.read();
  }

  /** Walks the whole match once, to find turns, marks and numbers. */
  read() {
    const plots = new Map();
    let [turn, units] = [this.scene.get("turn")?.number ?? 0, this.scene.keys("unit/").length];
    this.gather(plots);
    while (this.at < this.plies.length) {
      const { roll } = this.plies[this.at];
      this.forward();
      const [next, standing] = [this.scene.get("turn")?.number ?? turn, this.scene.keys("unit/").length];
      if (next !== turn) this.turns.push({ number: next, ply: this.at });
      if (standing < units) this.captures.push(this.at);
      if (roll && roll.faces.length > 1 && new Set(roll.faces).size === 1) this.equals.push(this.at);
      [turn, units] = [next, standing];
      this.gather(plots);
    }
    this.plots = [...plots].map(([name, lines]) => ({ name, lines: [...lines].map(([seat, values]) => ({ seat, values })) }));
    this.go(0);
  }

  /** Numbers of the seats that their `plot` names. @param {Map<string, Map<string, number[]>>} plots */
  gather(plots) {
    for (const [, seat] of this.scene.entries("seat")) {
      for (const name of [seat.plot ?? []].flat()) {
        if (!plots.has(name)) plots.set(name, new Map());
        const lines = /** @type {Map<string, number[]>} */ (plots.get(name));
        const values = lines.get(seat.name) ?? [];
        lines.set(seat.name, values);
        values[this.at] = seat[name];
      }
    }
  }

  /** One ply on; the changes. @returns {[string, any][]} */
  forward() {
    const { ch } = this.plies[this.at];
    this.back[this.at] ??= ch.map(([key]) => [key, this.scene.get(key) ?? null]);
    this.scene.patch(ch);
    this.at++;
    return ch;
  }

  /** One ply back; the changes. @returns {[string, any][]} */
  backward() {
    this.at--;
    this.scene.patch(this.back[this.at]);
    return this.back[this.at];
  }

  /** To a ply, however far. @param {number} ply */
  go(ply) {
    const goal = Math.max(0, Math.min(ply, this.plies.length));
    while (this.at < goal) this.forward();
    while (this.at > goal) this.backward();
  }

  /** The turn a ply belongs to; 0 before the first. @param {number} ply */
  turnAt(ply) {
    return this.turns.filter((turn) => turn.ply <= ply).at(-1)?.number ?? 0;
  }
}
