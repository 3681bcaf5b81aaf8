// @ts-check
/**
 * Hands moving blocks, and steps played one after another: a machine's turn, what happened while one was away. Playback is
 * the client's alone: the newest scene is known at once, and the first input jumps to it.
 */

/** @import {Motion, Step} from "./types.js" */

const STEP = 180; // milliseconds a cell, and for a captured block
const LONGEST = 250;
const HOLD = 600; // a step of a playback at speed 1
const ROUND = 6000; // what waits is played within this
const EASE = "cubic-bezier(.3, .1, .2, 1)";

/** Whether nothing should move, as the system says. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Element} element @param {PropertyIndexedKeyframes} frames @param {number} duration */
async function play(element, frames, duration) {
  if (still() || !(duration > 0)) return;
  await element.animate(frames, { duration, easing: EASE }).finished.catch(() => {});
}

/** @type {Motion["slide"]} */
export const slide = (element, { x, y }, cells, speed) =>
  play(element, { transform: [`translate(${x}px, ${y}px)`, "translate(0, 0)"] }, Math.min(LONGEST, STEP * cells) / speed);

/** @type {Motion["tip"]} */
export const tip = (element, speed) =>
  play(element, { transform: ["rotate(0) scale(1)", "rotate(70deg) scale(.5)"], opacity: ["1", "0"] }, STEP / speed);

/** Steps waiting to be shown, one after another. */
export class Playback {
  /** @param {{onChange?: (left: number) => void, hold?: number}} [how] */
  constructor({ onChange = () => {}, hold = HOLD } = {}) {
    this.onChange = onChange;
    this.hold = hold;
    this.speed = 1;
    /** @type {Step[]} */
    this.steps = [];
    this.running = false;
    this.wake = () => {};
  }

  get left() {
    return this.steps.length;
  }

  /** Adds a step; it is shown now if nothing runs. @param {Step} step */
  push(step) {
    this.steps.push(step);
    if (!this.running) void this.run();
  }

  /** Everything still waiting is drawn now: somebody wants to act, or to see how it stands. */
  skip() {
    const steps = this.steps.splice(0);
    for (const step of steps) void step(false, 0);
    this.wake();
    if (steps.length) this.onChange(0);
  }

  async run() {
    this.running = true;
    for (let most = 1; this.steps.length; ) {
      most = Math.max(most, this.steps.length);
      const pace = Math.min(this.hold, ROUND / most) / this.speed;
      const held = new Promise((resolve) => {
        const timer = setTimeout(resolve, pace);
        this.wake = () => (clearTimeout(timer), resolve(null));
      });
      const step = /** @type {Step} */ (this.steps.shift());
      this.onChange(this.steps.length);
      await step(true, this.hold / pace);
      if (this.steps.length) await held;
    }
    this.running = false;
  }
}
