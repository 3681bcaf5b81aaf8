// @ts-check
/**
 * What happened, shown step by step. The line knows the present; what the board shows may lag behind it, by a machine's
 * turn at the table's pace. Every event carries the way back, so that the last round can be shown again.
 */
import { Scene } from "../board/scene.js";
import { Playback } from "./playback.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {{
 *   board: Board, isMine: (seat: number) => boolean, onStep: (event: any, moving: boolean) => void,
 *   onIdle: () => void, onChange: () => void,
 * }} How */

const ENOUGH = 400; // steps kept to be shown again

export class Story {
  /** @param {How} how */
  constructor(how) {
    this.how = how;
    this.shown = new Scene();
    /** @type {any[]} since somebody else began to act */
    this.round = [];
    /** @type {number | null} */
    this.by = null;
    this.retelling = false;
    this.settling = false;
    this.playback = new Playback(() => how.onChange());
  }

  get playing() {
    return this.playback.left > 0;
  }

  /** Whether there is a round that can be shown again. */
  get hasRound() {
    return this.round.some((event) => event.by !== null);
  }

  /** Another scene, whole: a first one, a snapshot, another seat's. @param {Scene} scene */
  become(scene) {
    this.playback.skip();
    const changes = this.shown.replace(Object.fromEntries(scene.keys().map((key) => [key, scene.get(key)])));
    this.round = [];
    void this.how.board.draw(this.shown, changes);
    this.how.onIdle();
  }

  /** @param {any} event @param {boolean} missed shown at once: it can be shown again */
  happened(event, missed) {
    const mine = event.by !== null && this.how.isMine(event.by);
    if (mine || (event.by !== null && this.by !== null && event.by !== this.by && !this.anyMine)) this.round = [];
    if (event.by !== null) this.by = event.by;
    if (!mine || missed) this.round = [...this.round, event].slice(-ENOUGH);
    if (missed) this.skip();
    if (missed) void this.step(event, false);
    else this.playback.push((moving, speed) => this.step(event, moving, speed), mine);
  }

  /** Whether somebody here plays; an onlooker's rounds end with each seat's turn. */
  get anyMine() {
    return this.how.isMine(-1);
  }

  /** @param {any} event @param {boolean} moving @param {number} [speed] */
  async step(event, moving, speed = 1) {
    this.shown.patch(event.ch);
    if (!this.retelling) this.how.onStep(event, moving);
    const refs = event.log.flatMap((/** @type {any} */ line) => (line.refs.length ? [line.refs] : []))[0];
    await this.how.board.draw(this.shown, event.ch, { speed: moving ? speed : 0, refs });
    if (!this.playing) this.settle();
  }

  /** Back to where the round began, then all of it once more. */
  again() {
    this.skip();
    const round = this.round;
    for (const event of [...round].reverse()) this.shown.patch(event.undo);
    void this.how.board.draw(this.shown);
    this.retelling = true;
    for (const event of round) this.playback.push((moving, speed) => this.step(event, moving, speed));
    this.how.onChange();
  }

  /** Events that came only as lines of the log: what they speak of is shown, one after another. @param {any[]} lines */
  point(lines) {
    this.retelling = true;
    for (const { refs } of lines.filter((line) => line.refs.length)) {
      this.playback.push(async () => {
        this.how.board.last(refs);
        if (!this.playing) this.settle();
      });
    }
    this.how.onChange();
  }

  /** To the present, at once. */
  skip() {
    this.playback.skip();
  }

  /** The present is shown: once, however many steps ended together. */
  settle() {
    if (this.settling) return;
    this.settling = true;
    queueMicrotask(() => {
      this.settling = this.retelling = false;
      this.how.onIdle();
    });
  }
}

/** What a log has that another did not have yet: found by its last lines. @param {any[]} before @param {any[]} after */
export function newer(before, after) {
  const tail = before.slice(-3).map((line) => JSON.stringify(line));
  if (!tail.length) return [];
  const lines = after.map((line) => JSON.stringify(line));
  for (let end = lines.length; end >= tail.length; end--) {
    if (tail.every((line, n) => lines[end - tail.length + n] === line)) return after.slice(end);
  }
  return [];
}
