// @ts-check
/**
 * Steps that are shown one after another at the table's pace, also when they come in one by one, faster than people can
 * follow: a machine answers in milliseconds. Only what is shown waits; the newest scene is known at once.
 */

const HOLD = 600; // milliseconds a step is looked at
const ROUND = 6000; // no round takes longer: with many steps each is shorter

/** @typedef {(moving: boolean, speed: number) => Promise<void>} Step draws one step, moving or at once */

export class Playback {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Step[]} */ this.steps = [];
    this.running = false;
    this.free = 0; // when the next step may be shown
    this.wake = () => {};
  }

  get left() {
    return this.steps.length;
  }

  /** @param {Step} step @param {boolean} [now] a person's own act does not wait for what was shown before */
  push(step, now = false) {
    if (now) this.free = 0;
    this.steps.push(step);
    if (this.running) this.onChange();
    else void this.run();
  }

  /** To the present: everything still waiting is drawn at once. */
  skip() {
    for (const step of this.steps.splice(0)) void step(false, 1);
    this.free = 0;
    this.wake();
    this.onChange();
  }

  async run() {
    this.running = true;
    for (let most = 1; this.steps.length; ) {
      await this.rest();
      const step = this.steps.shift();
      if (!step) break; // skipped meanwhile
      most = Math.max(most, this.steps.length + 1);
      const pace = Math.min(HOLD, ROUND / most);
      this.free = performance.now() + pace;
      this.onChange();
      await step(true, HOLD / pace);
    }
    this.running = false;
  }

  /** @returns {Promise<void>} */
  rest() {
    const wait = this.free - performance.now();
    if (wait <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.wake = () => (clearTimeout(timer), resolve());
    });
  }
}
