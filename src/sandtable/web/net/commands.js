// @ts-check
/** Commands and questions on a line: one command without an answer at a time, repeated word for word until it has one. */
import { newId, random } from "./pace.js";

const AGAIN = 2_500; // milliseconds
const GIVEN_UP = 30_000;
const UNANSWERED = 6_000; // for questions, which nobody has to repeat

/** @typedef {{ok: boolean, ver?: number, code?: string, clause?: string, say?: string}} Answer */
/** @typedef {{id: string, act: string, text: any, until: number, resolve: (answer: Answer) => void}} Command */

export class Commands {
  /** @param {import("./socket.js").Line} line */
  constructor(line) {
    this.line = line;
    /** @type {Command | null} */
    this.waiting = null;
    this.timer = 0;
    /** @type {Map<string, {resolve: (answer: any) => void, answer: Promise<any>}>} */
    this.questions = new Map();
  }

  /** Plays an action. `lost`: nobody answered for 30 s; whether it counts shows when the line is back.
   * @param {string} act @returns {Promise<Answer>} */
  send(act) {
    if (this.waiting) return Promise.resolve({ ok: false, code: "waiting" });
    return new Promise((resolve) => {
      const id = newId();
      const text = { t: "cmd", id, base: this.line.ver, act, salt: random(16) };
      this.waiting = { id, act, text, until: performance.now() + GIVEN_UP, resolve };
      this.again();
    });
  }

  /** Sends the waiting command, now and every 2.5 s. */
  again() {
    clearTimeout(this.timer);
    if (!this.waiting) return;
    if (performance.now() > this.waiting.until) return this.settle({ ok: false, code: "lost" });
    this.line.write(this.waiting.text);
    this.timer = setTimeout(() => this.again(), AGAIN);
  }

  /** @param {Answer} answer */
  settle(answer) {
    clearTimeout(this.timer);
    const command = this.waiting;
    this.waiting = null;
    command?.resolve(answer);
  }

  /** A question, asked once however many want to know; null when there was no answer.
   * @param {any} question @param {string} name @returns {Promise<any>} */
  ask(question, name) {
    const asked = this.questions.get(name);
    if (asked) return asked.answer;
    /** @type {(answer: any) => void} */
    let resolve = () => {};
    const answer = new Promise((settled) => (resolve = settled));
    this.questions.set(name, { resolve, answer });
    if (!this.line.write(question)) this.reply(name, null);
    else setTimeout(() => this.questions.get(name)?.answer === answer && this.reply(name, null), UNANSWERED);
    return answer;
  }

  /** @param {string} [at] a source; without: which sources there are */
  options(at) {
    return this.ask(at === undefined ? { t: "options" } : { t: "options", at }, `options ${at ?? ""}`);
  }

  /** @param {string} act */
  preview(act) {
    return this.ask({ t: "preview", act }, `preview ${act}`);
  }

  /** @param {string} act */
  why(act) {
    return this.ask({ t: "why", act }, `why ${act}`);
  }

  /** @param {string} which */
  overlay(which) {
    return this.ask({ t: "overlay", which }, `overlay ${which}`);
  }

  /** @param {any} message */
  answered(message) {
    const { t, id } = message;
    if (t === "ack" || t === "nak") {
      if (id === this.waiting?.id) this.settle({ ok: t === "ack", ...message });
      else if (t === "nak") this.reply([...this.questions.keys()][0], null); // answers come in order: the oldest question
    } else if (t === "options") this.reply(`options ${message.at ?? ""}`, message);
    else if (t === "overlay") this.reply(`overlay ${message.which}`, message);
    else if (t === "preview" || t === "why") this.reply(`${t} ${message.act}`, message);
  }

  /** @param {string} name @param {any} answer */
  reply(name, answer) {
    this.questions.get(name)?.resolve(answer);
    this.questions.delete(name);
  }

  /** The line is gone: questions end, the command waits. */
  cut() {
    for (const name of [...this.questions.keys()]) this.reply(name, null);
  }
}
