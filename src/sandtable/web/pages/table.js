// @ts-check
/** The page of a table: joins lines, board and sheet. Each part draws itself from the fields of `Table`. */
import { Board } from "../board/board.js";
import { path, post } from "../net/api.js";
import { Choice } from "./choice.js";
import { the } from "./dom.js";
import { Ending } from "./ending.js";
import { Help } from "./help.js";
import { Invite } from "./invite.js";
import { Log } from "./log.js";
import { Notice } from "./notice.js";
import { Seats } from "./seats.js";
import { Sheet } from "./sheet.js";
import { reason, start } from "./start.js";
import { newer, Story } from "./story.js";
import { Strip } from "./strip.js";
import { family, say } from "./words.js";

/** @typedef {import("../net/socket.js").Line} Line */

export class Table {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.board = new Board(the("board"), {
      words: family("board"),
      onSelect: (key) => void this.choice.select(key),
      onHover: (key, option) => void ((key || !this.choice.aim) && this.choice.look(option)),
      onCommit: (_text, option) => void this.choice.take(option),
      onMany: (options) => this.choose(options),
      onInspect: (key) => this.sheet.inspect(key),
      onMiss: (from, to) => void this.choice.miss(from, to),
      onKey: (name, down) => this.key(name, down),
    });
    /** @type {any} the seat of presence whose offer was passed over */ this.passed = null;
    this.isOver = false;
    this.danger = false; // shown
    /** @type {{say: string, does: () => void, yes: string} | null} */ this.question = null;
    this.away = 0; // things that happened while nobody looked
    /** @type {any[]} */ this.unseen = []; // of these the ones only the log tells
    this.seats = new Seats(this);
    this.choice = new Choice(this.board, () => this.line, () => this.draw());
    this.story = new Story({
      board: this.board,
      isMine: (seat) => (seat < 0 ? this.seats.mine.length > 0 : this.seats.mine.includes(seat)),
      onStep: (event, moving) => this.told(event, moving),
      onIdle: () => this.settled(),
      onChange: () => this.draw(),
    });
    this.log = new Log(the("log"), this.board);
    this.sheet = new Sheet(this);
    this.strip = new Strip(the("strip"), this);
    this.notice = new Notice(the("notice"), this);
    this.invite = new Invite(the("invite"), this);
    this.ending = new Ending(the("ending"), this);
    this.help = new Help(the("help"));
    this.due = 0;
    the("jump-board").textContent = say("jump.board");
    the("jump-sheet").textContent = say("jump.sheet");
    document.addEventListener("keydown", (event) => this.pressed(event), true);
    document.addEventListener("keydown", (event) => this.board.press.key(event));
    document.addEventListener("keyup", (event) => this.board.press.key(event));
    the("main").addEventListener("pointerdown", (/** @type {Event} */ event) => this.jump(event), true);
  }

  /** The line of the seat that is shown. @returns {Line | undefined} */
  get line() {
    return this.seats.line;
  }

  get presence() {
    return this.line?.presence ?? null;
  }

  get scene() {
    return this.story.shown;
  }

  async begin() {
    await this.seats.find();
  }

  // ---------------------------------------------------------------- what comes over the line

  /** The line is there, or there again: what was asked meanwhile had no answer, and nothing else may come to ask anew. */
  back() {
    if (!this.story.playing) this.settled();
    this.draw();
  }

  /** A seat's line brought a scene: the first, or one to start afresh from. @param {any[]} before its log until then */
  snapped(before) {
    const line = /** @type {Line} */ (this.line);
    this.story.skip();
    this.unseen = newer(before, line.log);
    this.away = this.unseen.length;
    this.log.replace(line.log, this.seats.seat);
    this.story.become(line.scene);
  }

  /** @param {any} event @param {boolean} missed */
  happened(event, missed) {
    this.unseen = [];
    if (missed) this.away++;
    this.choice.clear();
    this.story.happened(event, missed);
    this.draw();
  }

  /** A step is shown now. @param {any} event @param {boolean} moving */
  told(event, moving) {
    this.log.add(event.log, this.seats.seat);
    if (event.roll) this.sheet.rolled(event.roll.faces, moving);
    if (moving) this.draw();
  }

  /** The board shows the present. */
  settled() {
    this.isOver = this.presence?.state === "over" || this.line?.scene.keys("seat/").some((key) => ["won", "drew"].includes(this.line?.scene.get(key).state)) === true;
    if (this.danger) void this.threaten(true);
    if (!this.seats.handOver()) void this.choice.refresh();
    this.draw();
  }

  // ---------------------------------------------------------------- what the person does

  /** The first input of a playback jumps to the present, and does nothing else. @param {Event} event */
  jump(event) {
    if (!this.story.playing) return;
    this.story.skip();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (!["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key) && !event.ctrlKey && !event.metaKey) this.jump(event);
  }

  /** @param {string} name of keys.js @param {boolean} down */
  key(name, down) {
    if (name === "undo" && down) void this.takeBack();
    else if (name === "end" && down) this.sheet.pressEnd();
    else if (name === "help" && down) this.help.toggle();
    else if (name === "danger") void this.threaten(down);
    else if (name === "log" && down) the("log").focus();
    else if (name === "back" && down) this.leave();
    else if (name === "commit" && down && this.choice.aim) void this.choice.take(this.choice.aim);
  }

  leave() {
    if (this.help.open) return this.help.toggle();
    this.question = null;
    this.choice.unselect();
    return this.draw();
  }

  /** @param {string} [what] "turn": all of this turn */
  async takeBack(what) {
    if (this.choice.undo) await this.choice.send(what ? `takeback ${what}` : "takeback");
  }

  /** @param {boolean} on */
  async threaten(on) {
    this.danger = on;
    const overlays = this.line?.welcome?.overlays ?? [];
    const which = overlays.includes("danger") ? "danger" : overlays[0];
    const told = on && which ? await this.line?.commands.overlay(which) : null;
    this.board.marks(this.danger && told ? told.marks : null);
    this.draw();
  }

  /** Several actions on one cell: the sheet lists them. @param {import("../board/board.js").Option[]} options */
  choose(options) {
    this.choice.many = options;
    this.draw();
  }

  /** One line that asks before something that cannot be taken back. @param {string} text @param {string} yes @param {() => void} does */
  confirm(text, yes, does) {
    this.question = { say: text, yes, does };
    this.draw();
    the("notice").querySelector("button")?.focus();
  }

  /** @param {string} what @param {any} [body] @returns {Promise<any>} */
  async post(what, body = {}) {
    try {
      return await post(path("tables", this.id, what), body);
    } catch (error) {
      this.choice.refusal = { say: reason(error) };
      this.draw();
      return null;
    }
  }

  // ---------------------------------------------------------------- drawing

  /** Once a frame, however much has changed. */
  draw() {
    this.due ||= requestAnimationFrame(() => {
      this.due = 0;
      for (const part of [this.strip, this.notice, this.invite, this.ending, this.sheet]) part.draw();
    });
  }
}

void start(async () => {
  const table = new Table((location.pathname.split("/")[2] ?? "").toUpperCase());
  await table.begin();
});
