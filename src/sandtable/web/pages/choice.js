// @ts-check
/**
 * What may be done now: sources, the options of the one selected, the option looked at and what it would do. All of it
 * is the server's word; here it is only asked for, shown and sent back.
 */
import { say } from "./words.js";

/** @typedef {import("../board/board.js").Board} Board @typedef {import("../board/board.js").Option & {why?: string}} Option one that says why not lies there grey */
/** @typedef {import("../net/socket.js").Line} Line */

const STAY = 60; // milliseconds on a place before it is asked about
const MOST = 200; // placements by lot
const BUSY = 1200; // milliseconds until somebody too fast tries again

export class Choice {
  /** @param {Board} board @param {() => Line | undefined} line of the seat that is shown @param {() => void} onChange */
  constructor(board, line, onChange) {
    this.board = board;
    this.line = line;
    this.onChange = onChange;
    /** @type {Object<string, number>} */ this.sources = {};
    /** @type {Object<string, string>} */ this.why = {};
    /** @type {Option[]} */ this.buttons = []; // of the turn; greyed while they cannot be pressed
    /** @type {string | null} */ this.selected = null;
    /** @type {Option[]} */ this.options = [];
    /** @type {Option | null} */ this.aim = null;
    /** @type {any} */ this.preview = null;
    /** @type {Option | null} */ this.warned = null; // asked once more
    /** @type {Option[]} */ this.many = []; // several actions on one cell
    /** @type {string | null} */ this.sending = null;
    /** @type {{say: string, clause?: string} | null} */ this.refusal = null;
    this.undo = 0; // actions that can be taken back
    /** @type {Map<string, any>} */ this.looks = new Map(); // previews of this round, by action
    this.busy = false; // placing by lot, one after another: nothing else is asked meanwhile
    this.round = 0; // of questions: answers to older ones are dropped
  }

  get canAct() {
    return this.line()?.scene.get("ask")?.act === true;
  }

  get commands() {
    return this.line()?.commands;
  }

  /** How many on the board can act. */
  get others() {
    return Object.keys(this.sources).filter((key) => key !== "turn" && !key.startsWith("palette/")).length;
  }

  /** Nothing can be picked: another seat's turn, or something is being shown. */
  clear() {
    this.round++;
    this.sources = {};
    this.why = {};
    this.undo = 0;
    this.board.sources({});
    this.unselect();
    if (this.buttons.length > 1) this.buttons = []; // a lone button keeps its place, grey
  }

  unselect() {
    this.selected = null;
    this.forget();
    this.options = [];
    if (this.board.selected) this.board.select(null);
  }

  forget() {
    this.aim = this.preview = this.warned = null;
    this.many = [];
  }

  /** Asks anew what may be done. */
  async refresh() {
    const round = ++this.round;
    this.looks.clear();
    if (this.busy) return;
    if (!this.canAct) return void (this.clear(), this.onChange());
    const told = await this.commands?.options();
    if (round !== this.round || !told) return;
    this.sources = told.sources;
    this.why = told.why ?? {};
    this.board.sources(this.sources);
    if (this.selected && !this.sources[this.selected]) this.unselect();
    this.undo = told.undo ?? 0;
    const turn = await this.commands?.options("turn");
    if (round !== this.round) return;
    if (turn) this.buttons = turn.list;
    this.onChange();
    if (this.selected) void this.select(this.selected);
  }

  /** @param {string | null} key */
  async select(key) {
    this.refusal = null;
    this.forget();
    this.selected = key;
    this.options = [];
    this.onChange();
    if (!key || !this.sources[key]) return;
    const told = await this.commands?.options(key);
    if (this.selected !== key || !told) return;
    this.options = told.list;
    this.board.choices(this.options);
    this.onChange();
  }

  /** Looks at an option: what would it do? @param {Option | null} option */
  async look(option) {
    if (this.warned || option?.text === this.aim?.text) return;
    this.aim = option;
    this.preview = null;
    this.many = [];
    this.onChange();
    if (!option || option.mark === "blocked") return;
    let told = this.looks.get(option.text);
    if (!told) {
      await new Promise((resolve) => setTimeout(resolve, STAY)); // a pointer on its way asks nothing
      if (this.aim?.text !== option.text) return;
      told = await this.commands?.preview(option.text);
      if (told) this.looks.set(option.text, told);
    }
    if (this.aim?.text !== option.text || !told) return;
    this.preview = told;
    this.onChange();
  }

  /** Plays an option, after its warning if it has one. @param {Option} option */
  async take(option) {
    if (option.warn && this.warned?.text !== option.text) {
      await this.look(option);
      this.warned = option;
      this.board.choices(this.options);
      return this.onChange();
    }
    const answer = await this.send(option.text, option);
    if (!answer.ok && option.to && answer.say) this.board.blocked(option.to, this.sentence(answer));
    return undefined;
  }

  /** Sends an action; its place shows a ghost until the answer. @param {string} text @param {Option} [option] */
  async send(text, option) {
    if (this.sending) return { ok: false, code: "waiting" };
    this.sending = text;
    this.refusal = null;
    if (option?.to) this.board.ghost(option, this.selected);
    this.unselect();
    this.onChange();
    const answer = (await this.commands?.send(text)) ?? { ok: false, code: "gone" };
    this.sending = null;
    this.board.ghost(null);
    if (!answer.ok && !this.busy) this.refusal = { say: answer.say || say(`nak.${answer.code}`), clause: answer.clause };
    if (!answer.ok) void this.refresh();
    this.onChange();
    return answer;
  }

  /** @param {{say?: string, clause?: string}} answer */
  sentence(answer) {
    return answer.clause ? `${answer.say} ${answer.clause}.` : (answer.say ?? "");
  }

  /** Somebody let go over a cell where nothing may be done: asks why not, in the words of an option like it.
   * @param {string} from @param {string} to */
  async miss(from, to) {
    const taken = Boolean(this.board.standing.get(to.slice(5))?.size);
    const like = this.options.find((option) => option.to && (option.mark === "target") === taken);
    const [there, name] = [like?.to?.slice(5), to.slice(5)];
    if (!like || !there || !like.text.endsWith(there)) return;
    const told = await this.commands?.why(like.text.slice(0, -there.length) + name);
    if (told?.code && told.say) this.board.blocked(to, this.sentence(told));
  }

  /** Places what is on the palette anywhere it may stand, until nothing is left. */
  async scatter() {
    this.busy = true;
    const scene = this.line()?.scene;
    for (let tries = 0; scene && tries < MOST; tries++) {
      const keys = scene.keys("palette/").filter((key) => scene.get(key).left > 0);
      const list = keys.length ? (await this.commands?.options(any(keys)))?.list : null;
      if (!list) break;
      if (!list.length) continue; // no room for this one now; another may have
      const answer = await this.send(any(/** @type {Option[]} */ (list)).text);
      if (answer.code === "too_fast") await new Promise((resolve) => setTimeout(resolve, BUSY));
      else if (!answer.ok) break;
    }
    this.busy = false;
    await this.refresh();
  }
}

/** @template T @param {T[]} list @returns {T} */
const any = (list) => list[Math.floor(Math.random() * list.length)];
