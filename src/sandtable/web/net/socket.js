// @ts-check
/**
 * The line to a table, for one seat or an onlooker. It keeps the scene as the server has it, comes back by itself after
 * whatever happened, and sends a command until it is answered: nothing is lost without a word, nothing is done twice.
 */
import { Scene } from "../board/scene.js";
import { path, post, Refused } from "./api.js";
import { Commands } from "./commands.js";
import { recall, remember } from "./memory.js";
import { pause } from "./pace.js";

const WELCOME = 8_000; // milliseconds a fresh socket has
const PING = 10_000;
const PONG = 5_000;
const SLOW = 350;
const LINES = 200; // of the log
/** Close codes after which trying again is no use. */
const FINAL = new Map([[4403, "denied"], [4404, "unknown"], [4426, "old"]]);

/** @typedef {"joining" | "good" | "slow" | "rejoining" | "offline" | "moved" | "denied" | "unknown" | "old"} Word */
/** @typedef {{
 *   welcome?: (welcome: any) => void, snap?: (snap: any) => void, event?: (event: any, missed: boolean) => void,
 *   presence?: (presence: any) => void, word?: (word: Word, seconds: number, say?: string) => void,
 * }} Listener */

export class Line {
  /** @param {string} table @param {number | null} seat @param {Listener} listener */
  constructor(table, seat, listener) {
    this.table = table;
    this.seat = seat;
    this.listener = listener;
    const seen = recall(table, seat);
    this.scene = new Scene(seen?.scene);
    /** @type {any[]} */
    this.log = seen?.log ?? [];
    this.ver = seen?.ver ?? 0;
    this.actions = 0;
    /** @type {any} */
    this.presence = null;
    /** @type {any} */
    this.welcome = null; // the last one
    this.joined = false;
    this.seconds = 0; // until the next try
    /** @type {Word} */
    this.word = "joining";
    this.heard = 0; // when presence came
    this.commands = new Commands(this);
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tried = 0;
    this.drained = false;
    this.pinged = 0;
    this.timer = 0;
    this.watch = 0;
    this.beat = setInterval(() => this.ping(), PING);
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
      else this.keep();
    });
    addEventListener("pagehide", () => this.keep());
    void this.connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN && this.joined;
  }

  /** Whether the line is over for good, or another tab has it. */
  get ended() {
    return this.word === "moved" || [...FINAL.values()].includes(this.word);
  }

  async connect() {
    clearTimeout(this.timer);
    if (this.socket) return;
    const mine = (this.socket = /** @type {any} */ ({ close() {} })); // holds the place while the ticket comes
    try {
      const { ticket } = await post(path("tables", this.table, "ticket"), { seat: this.seat });
      if (this.socket !== mine) return;
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/ws`, "sandtable.v1"));
      socket.onopen = () => {
        const have = { have: this.ver, ...(this.ver ? { hash: this.scene.hash() } : {}) };
        socket.send(JSON.stringify({ t: "hello", p: 1, table: this.table, ticket, ...have }));
      };
      socket.onmessage = ({ data }) => this.socket === socket && this.receive(JSON.parse(data));
      socket.onclose = ({ code }) => this.socket === socket && this.lost(code);
      this.watch = setTimeout(() => this.joined || this.drop(), WELCOME);
    } catch (error) {
      if (this.socket !== mine) return;
      this.socket = null;
      const { status, message } = error instanceof Refused ? error : { status: 0, message: "" };
      if (status === 403) return this.tell("denied", 0, message);
      if (status === 404) return this.tell("unknown", 0, message);
      this.later();
    }
  }

  /** Gives this socket up, as if the other end had: a silent one tells nobody. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.lost(1006);
  }

  /** @param {number} code */
  lost(code) {
    clearTimeout(this.watch);
    this.socket = null;
    this.joined = false;
    this.pinged = 0;
    this.commands.cut();
    const final = FINAL.get(code);
    if (code === 4409 || this.word === "moved") return this.tell("moved");
    if (final) return this.tell(/** @type {Word} */ (final));
    this.later();
  }

  later() {
    const wait = pause(this.tried++, this.drained);
    this.drained = false;
    this.tell(navigator.onLine ? "rejoining" : "offline", Math.ceil(wait / 1000));
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** The network or the person is back: no reason to wait. */
  hurry() {
    if (this.ended) return;
    if (this.open) this.ping();
    else if (!this.socket) void this.connect();
  }

  /** Closes for good. */
  end() {
    clearInterval(this.beat);
    clearTimeout(this.timer);
    this.word = "moved";
    const socket = this.socket;
    this.socket = this.welcome = null; // what is still on its way, a ticket too, comes to nobody
    socket?.close();
  }

  takeOver() {
    const socket = this.socket;
    this.socket = this.welcome = null; // what is still on its way, a ticket too, comes to nobody
    socket?.close();
    this.socket = null;
    this.word = "joining";
    void this.connect();
  }

  ping() {
    if (!this.open || document.visibilityState !== "visible" || this.pinged) return;
    this.pinged = performance.now();
    this.write({ t: "ping", n: Math.floor(this.pinged) });
    this.watch = setTimeout(() => this.pinged && this.drop(), PONG);
  }

  /** @param {any} message @returns {boolean} whether it went out */
  write(message) {
    if (!this.open) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  /** @param {any} message */
  receive(message) {
    if (message.t === "welcome") return this.welcomed(message);
    if (message.t === "snap") return this.taken(message);
    if (message.t === "ev") return this.happened(message);
    if (message.t === "presence") return this.present(message);
    if (message.t === "pong") return this.ponged();
    if (message.t === "drain") this.drained = true;
    else if (message.t === "bye") this.tell("moved");
    else this.commands.answered(message);
  }

  /** @param {any} welcome */
  welcomed(welcome) {
    clearTimeout(this.watch);
    this.welcome = welcome;
    this.joined = true;
    this.tried = 0;
    this.tell("good");
    this.listener.welcome?.(welcome);
    if (welcome.presence) this.present(welcome.presence);
    this.commands.again();
  }

  /** @param {any} presence */
  present(presence) {
    this.presence = presence;
    this.heard = performance.now();
    this.listener.presence?.(presence);
  }

  ponged() {
    clearTimeout(this.watch);
    if (this.pinged) this.tell(performance.now() - this.pinged > SLOW ? "slow" : "good");
    this.pinged = 0;
  }

  /** @param {any} snap */
  taken(snap) {
    const before = this.log;
    this.scene.replace(snap.scene);
    this.log = [...(snap.log ?? [])];
    this.ver = snap.ver;
    this.actions = snap.actions ?? this.actions;
    this.listener.snap?.({ ...snap, before });
    this.keep();
  }

  /** @param {any} event */
  happened(event) {
    if (event.ver <= this.ver) return; // told before
    if (event.ver !== this.ver + 1) return this.resync();
    event.undo = event.ch.map((/** @type {[string, any]} */ [key]) => [key, this.scene.get(key) ?? null]);
    this.scene.patch(event.ch);
    this.ver = event.ver;
    this.actions = event.actions ?? 0;
    this.log = [...this.log, ...event.log].slice(-LINES);
    this.listener.event?.(event, event.ver <= (this.welcome?.ver ?? 0));
    if (event.hash && event.hash !== this.scene.hash()) this.resync();
  }

  resync() {
    this.write({ t: "resync", have: this.ver, hash: this.scene.hash() });
  }

  keep() {
    if (!this.ver) return;
    const scene = Object.fromEntries(this.scene.keys().map((key) => [key, this.scene.get(key)]));
    remember(this.table, this.seat, { ver: this.ver, scene, log: this.log });
  }

  /** @param {Word} word @param {number} [seconds] until the next try @param {string} [say] */
  tell(word, seconds = 0, say) {
    this.word = word;
    this.seconds = seconds;
    this.listener.word?.(word, seconds, say);
  }
}
