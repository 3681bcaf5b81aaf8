// @ts-check
/**
 * Which seats of the table are this browser's, a line for each, and which of them is shown. Somebody who plays several
 * hands the place over: the board is covered only where the next seat may not see what the last one saw.
 */
import { get, path, post, Refused } from "../net/api.js";
import { Line } from "../net/socket.js";
import { fill, make, the } from "./dom.js";
import { preview } from "./preview.js";
import { sorry } from "./start.js";
import { say } from "./words.js";

const SETTLE = 150; // milliseconds in which every line tells of the same row

/** Of every scene its own: that these differ hides nothing from anybody. */
const OWN = new Set(["ask"]);

export class Seats {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {number[]} */ this.mine = [];
    /** @type {Map<number | null, Line>} */ this.lines = new Map();
    /** @type {number | null} */ this.seat = null; // shown
    /** @type {number | null} */ this.next = null; // the cover waits for
    /** @type {any} */ this.head = null;
    this.due = 0;
    this.state = ""; // of the table, as presence said it last
  }

  get line() {
    return this.lines.get(this.seat);
  }

  /** Asks which seats are mine and opens their lines; without one an onlooker's. */
  async find() {
    const { mine } = await get(path("tables"));
    this.head = mine.find((/** @type {any} */ head) => head.id === this.table.id) ?? null;
    const seats = (this.head?.seats ?? []).filter((/** @type {any} */ seat) => seat.you);
    this.open(seats.map((/** @type {any} */ seat) => seat.seat));
  }

  /** @param {number[]} seats */
  open(seats) {
    this.mine = seats;
    /** @type {(number | null)[]} */
    const wanted = seats.length ? seats : [null];
    for (const [seat, line] of this.lines) if (!wanted.includes(seat)) this.close(seat, line);
    this.seat = wanted[0];
    for (const seat of wanted) {
      if (this.lines.has(seat)) continue;
      const line = new Line(this.table.id, seat, {
        welcome: () => seat === this.seat && this.table.back(),
        snap: ({ before }) => (seat === this.seat ? this.table.snapped(before) : this.handOver()),
        event: (event, missed) => (seat === this.seat ? this.table.happened(event, missed) : this.handOver()),
        presence: (presence) => this.present(seat, presence),
        word: (word, seconds, text) => this.word(seat, word, text),
      });
      this.lines.set(seat, line);
      if (seat === this.seat && line.ver) this.table.snapped(line.log);
    }
    this.table.board.flip(this.seat ?? 0);
  }

  /** @param {number | null} seat @param {Line} line */
  close(seat, line) {
    line.end();
    this.lines.delete(seat);
  }

  /** @param {number | null} seat @param {any} presence */
  present(seat, presence) {
    if (seat !== this.seat || !this.line?.welcome) return; // the welcome brings it once more
    const was = this.state;
    this.state = presence.state;
    if (presence.state === "open" && !this.line?.scene.keys().length) void this.bare();
    if (presence.state === "over" && was === "" && !this.mine.length) void this.late();
    this.table.isOver ||= presence.state === "over";
    this.table.draw();
  }

  /** Nobody deals before every seat is taken: until then the board lies there as an onlooker would first see it. */
  async bare() {
    if (this.table.scene.get("board")) return;
    const { open } = this.head ? { open: [] } : await get(path("tables"));
    const head = this.head ?? open.find((/** @type {any} */ one) => one.id === this.table.id);
    const scene = await preview(this.line?.welcome?.game ?? head.game, { scenario: head?.scenario });
    if (this.state === "open") this.table.story.become(scene);
  }

  /** The match is over: one who played is told where a seat was, for the next one; others see the replay. */
  async late() {
    try {
      const { seat } = await post(path("tables", this.table.id, "join"), { seat: null });
      this.open([seat]);
    } catch {
      location.replace(`/m/${this.table.id}#play`);
    }
  }

  /** @param {number | null} seat @param {string} word @param {string} [text] */
  word(seat, word, text) {
    if (word === "unknown" || word === "denied") {
      if (this.mine.length && word === "denied") return void this.open([]); // the seat is not mine any more: watch
      return sorry(new Refused(404, { code: word, say: text || say(`line.${word}`) }));
    }
    if (seat === this.seat) this.table.draw();
    return undefined;
  }

  /** Shows the seat that must act, where several are mine. True while the cover lies on the board. */
  handOver() {
    const acts = (/** @type {number} */ seat) => this.lines.get(seat)?.scene.get("ask")?.act === true;
    if (this.next !== null) return true;
    if (this.mine.length < 2 || this.table.story.playing || acts(this.seat ?? -1)) return false;
    if (this.mine.some((seat) => !this.lines.get(seat)?.scene.keys().length)) return false;
    const next = this.mine.find(acts);
    if (next === undefined) return false;
    if (this.sameView(this.line, this.lines.get(next))) {
      this.show(next);
      return true;
    }
    this.due ||= setTimeout(() => {
      this.due = 0;
    this.state = ""; // of the table, as presence said it last
      if (this.next === null && !acts(this.seat ?? -1) && acts(next)) this.sameView(this.line, this.lines.get(next)) ? this.show(next) : this.cover(next);
    }, SETTLE);
    return false;
  }

  /** @param {Line | undefined} one @param {Line | undefined} other */
  sameView(one, other) {
    if (!one || !other) return true;
    const [a, b] = [one.scene.lines, other.scene.lines];
    const keys = new Set([...a.keys(), ...b.keys()].filter((key) => !OWN.has(key)));
    return [...keys].every((key) => a.get(key)?.line === b.get(key)?.line);
  }

  /** @param {number} seat */
  show(seat) {
    this.table.story.skip(); // what waits is the last seat's news
    this.seat = seat;
    this.next = null;
    the("cover").hidden = true;
    for (const part of ["main", "sheet"]) the(part).inert = false;
    this.table.log.replace(this.line?.log ?? [], seat);
    this.table.choice.clear();
    this.table.board.flip(seat);
    this.table.board.last([]); // even a last mark would tell a square
    this.table.story.become(/** @type {Line} */ (this.line).scene);
  }

  /** @param {number} next */
  cover(next) {
    this.next = next;
    const side = this.line?.scene.get(`seat/${next}`)?.name ?? "";
    const button = make("button.act.go", { onclick: () => this.show(next) }, say("cover.ready", { side }));
    fill(the("cover"), make("h1", {}, say("cover.title", { side })), make("p", {}, say("cover.says", { side })), button);
    for (const part of ["main", "sheet"]) the(part).inert = true; // the log tells as much as the board
    the("cover").hidden = false;
    button.focus();
    this.table.draw();
  }

  /** Takes a free seat. */
  async sit() {
    const sat = await this.table.post("join", { seat: null });
    if (sat) await this.find();
  }

  takeOver() {
    for (const line of this.lines.values()) if (line.word === "moved") line.takeOver();
  }

  /** Leaves the seats for good. */
  async leave() {
    if (await this.table.post("leave")) location.assign("/");
  }

  /** @returns {Promise<any>} */
  static me() {
    return get(path("me"));
  }

  /** @param {string} name */
  static call(name) {
    return post(path("me"), { name });
  }
}
