// @ts-check
/** One thing at a time that somebody has to know or answer: a refusal, a question, an offer, a seat that stays away. */
import { fill, make } from "./dom.js";
import { span } from "./strip.js";
import { player } from "./text.js";
import { say } from "./words.js";

const PATIENCE = 180; // seconds away after which the others may decide
const LOOK = 5000;

export class Notice {
  /** @param {HTMLElement} element @param {import("./table.js").Table} table */
  constructor(element, table) {
    this.element = element;
    this.table = table;
    this.key = "";
    /** @type {Set<number>} seats somebody decided to wait for */
    this.waited = new Set();
    setInterval(() => this.draw(), LOOK);
  }

  draw() {
    const shown = this.moved() ?? this.question() ?? this.refusal() ?? this.paused() ?? this.offer() ?? this.absent();
    const key = shown?.map((part) => part.textContent).join("|") ?? "";
    if (key === this.key) return;
    this.key = key;
    this.element.hidden = !shown;
    fill(this.element, ...(shown ?? []));
  }

  /** @param {string} words @param {[string, () => void][]} does @param {string} [look] */
  lines(words, does, look = "") {
    const buttons = does.map(([name, press]) => make("button.act.low", { onclick: () => (press(), this.table.draw()) }, name));
    return [make(`p${look}`, {}, words), ...(buttons.length ? [make("div.row.wrap", {}, ...buttons)] : [])];
  }

  /** Another tab has the seat. */
  moved() {
    if (this.table.line?.word === "old") return this.lines(say("line.old"), [[say("line.reload"), () => location.reload()]]);
    return this.table.line?.word === "moved" ? this.lines(say("moved"), [[say("moved.take"), () => this.table.seats.takeOver()]]) : null;
  }

  question() {
    const { question } = this.table;
    if (!question) return null;
    const done = () => (this.table.question = null);
    return this.lines(question.say, [[question.yes, () => (done(), question.does())], [say("question.no"), done]]);
  }

  refusal() {
    const { refusal } = this.table.choice;
    if (!refusal) return null;
    const words = refusal.clause ? `${refusal.say} ${refusal.clause}.` : refusal.say;
    return this.lines(words, [[say("refusal.ok"), () => (this.table.choice.refusal = null)]], ".bad");
  }

  paused() {
    const { presence } = this.table;
    return presence?.paused ? this.lines(presence.paused, []) : null;
  }

  offer() {
    const { presence, seats, isOver, scene, choice } = this.table;
    const offer = scene.get("offer")?.draw ?? presence?.offer ?? [];
    const others = offer.filter((/** @type {number} */ seat) => !seats.mine.includes(seat));
    const open = seats.mine.filter((seat) => !offer.includes(seat));
    if (isOver || !seats.mine.length || !offer.length) return null;
    if (!others.length) return open.length < seats.mine.length ? this.lines(say("offer.sent"), []) : null;
    const key = others.join();
    if (this.table.passed === key) return null;
    const sides = others.map((/** @type {number} */ seat) => scene.get(`seat/${seat}`)?.name ?? "").join(", ");
    if (!open.length) return this.lines(say("offer.sent"), []);
    return this.lines(say("offer", { sides }), [
      [say("offer.accept"), () => void choice.send("draw")],
      [say("offer.pass"), () => (this.table.passed = key)],
    ]);
  }

  absent() {
    const { presence, seats, isOver, line, scene } = this.table;
    if (isOver || !seats.mine.length || presence?.state !== "running") return null;
    const since = (performance.now() - (line?.heard ?? 0)) / 1000;
    const gone = presence.seats.find((/** @type {any} */ seat) =>
      seat.kind === "guest" && !seat.here && seat.away_s + since >= PATIENCE && !this.waited.has(seat.seat) && !seats.mine.includes(seat.seat));
    if (!gone) return null;
    const does = (/** @type {string} */ what) => void this.table.post("absent", { seat: gone.seat, do: what });
    const words = say("absent", { name: player(gone, scene.get(`seat/${gone.seat}`)?.name), time: span(gone.away_s + since) });
    return this.lines(words, [
      [say("absent.wait"), () => this.waited.add(gone.seat)],
      [say("absent.machine"), () => does("machine:greedy")],
      [say("absent.end"), () => does("end")],
    ]);
  }
}
