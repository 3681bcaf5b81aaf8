// @ts-check
/** The sheet beside the board: what is wanted, dice and points, who is selected, what an option would do, the turn's buttons. */
import { dice, tumble } from "./dice.js";
import { fill, icon, make, the, write } from "./dom.js";
import { Palette } from "./palette.js";
import { panels } from "./panels.js";
import { piece } from "./piece.js";
import { bar } from "./points.js";
import { say } from "./words.js";

/** @typedef {import("./table.js").Table} Table @typedef {import("./choice.js").Option} Option */

const SURE = 4000; // milliseconds in which a second press ends the turn although something is left
const DIE = 46;

/** @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

export class Sheet {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.palette = new Palette(the("palette"), table);
    /** @type {string | null} */ this.inspected = null; // a cell somebody asked about
    this.faces = this.pressed = "";
    this.most = { turn: -1, points: 0 };
    this.sure = 0;
    this.foot();
  }

  draw() {
    const { scene, choice } = this.table;
    const open = this.table.presence?.state === "open" && say("sheet.open");
    write(the("headline"), choice.sending ? say("sheet.sending") : open || (scene.get("ask")?.text ?? ""));
    this.drawPoints();
    this.drawUnit();
    this.drawOption();
    this.palette.draw();
    const shown = panels(scene, this.group());
    the("panels").hidden = !shown.length;
    fill(the("panels"), ...shown);
    this.drawStory();
    this.drawFoot();
  }

  /** The group of what is selected: panels of other groups stay away. */
  group() {
    const key = this.table.choice.selected ?? this.inspected;
    return key ? (this.table.scene.get(key)?.group ?? this.table.board.unitOf(key)?.group ?? null) : null;
  }

  // ---------------------------------------------------------------- dice and points

  drawPoints() {
    const { scene, choice } = this.table;
    const turn = scene.get("turn") ?? {};
    if (turn.number !== this.most.turn) this.most = { turn: turn.number, points: 0 };
    this.most.points = Math.max(this.most.points, turn.points ?? 0);
    const faces = turn.dice ?? [];
    const has = turn.points !== undefined;
    const key = JSON.stringify([faces, turn.points, turn.of, choice.aim?.text, choice.preview?.act, turn.seat]);
    if (key === this.faces) return;
    this.faces = key;
    this.row = dice(faces, DIE, scene.get(`seat/${turn.seat}`)?.side);
    const of = turn.of ?? this.most.points;
    const after = choice.aim ? (values(choice.preview).turn?.points ?? turn.points - (choice.aim.cost ?? 0)) : turn.points;
    const count = has && make("div.right", {}, make("span.count.num", {}, String(turn.points)), " ", make("span.note", {}, say("points.of", { n: turn.points, of })));
    fill(the("points"), make("div.row.apart", {}, this.row, count), ...(has && of > 0 ? bar(turn.points, of, after) : []));
    the("points").hidden = !faces.length && !has;
  }

  /** Dice of a step that is being shown. @param {number[]} faces @param {boolean} moving */
  rolled(faces, moving) {
    const was = this.row;
    if (moving) requestAnimationFrame(() => this.row && this.row !== was && void tumble(this.row, faces, DIE));
  }

  // ---------------------------------------------------------------- who and what

  /** @param {string} key */
  inspect(key) {
    this.inspected = this.inspected === key ? null : key;
    this.table.board.point(this.inspected ? [this.inspected] : []);
    this.table.draw();
  }

  drawUnit() {
    const { scene, choice, board } = this.table;
    if (choice.selected) this.inspected = null;
    const key = choice.selected ?? this.inspected;
    const place = key && board.place(key)?.name;
    const unit = key && !key.startsWith("palette/") ? board.unitOf(key) : null;
    the("unit").hidden = !unit && !(key && this.inspected);
    if (!unit) return void fill(the("unit"), place ? make("h2", {}, say("unit.empty", { at: place })) : null);
    const side = board.sides.get(unit.side) ?? "";
    const marks = (unit.marks ?? []).map((/** @type {string} */ mark) => say(`mark.${mark}`));
    const note = [side, ...marks, ...facts(unit)].filter(Boolean).join(" · ");
    const name = capital(unit.name ?? unit.kind ?? say("unit.unknown"));
    fill(
      the("unit"),
      make("div.row", {}, piece({ ...unit, marks: [] }, scene.get("board"), 52), make("div.grow", {}, make("h2", {}, `${name}, ${place}`), make("p.note", {}, note))),
    );
    return undefined;
  }

  drawOption() {
    const { choice } = this.table;
    const element = the("option");
    const { aim, preview, warned, many } = choice;
    const mine = choice.selected !== null && !choice.sending;
    element.hidden = !(mine && (aim || many.length || choice.options.length)) && !warned;
    if (element.hidden) return;
    if (many.length) return void fill(element, make("h3", {}, say("option.many")), ...many.map((option) => this.choose(option)));
    const listed = choice.options.filter((option) => !option.to);
    if (!aim && !warned) return void fill(element, make("p.note", {}, say("option.pick", { n: choice.options.length })), ...listed.map((option) => this.choose(option)));
    const shown = warned ?? aim;
    const cost = shown?.cost != null ? make("span.num", {}, say("option.cost", { n: shown.cost })) : null;
    const odds = shown?.odds ? make("p.odds-words.bad", {}, shown.odds) : null;
    fill(
      element,
      make("div.row.apart.base", {}, make("h3", {}, title(/** @type {Option} */ (shown), choice.selected ?? "", this.table.board)), cost),
      make("p.note.what", { "aria-live": "polite" }, preview?.say ?? ""), odds,
      warned ? make("p.bad", { role: "alert" }, String(warned.warn)) : null,
      make(
        "div.row", {},
        make("button.act.go.grow", { id: "take", onclick: () => shown && void choice.take(shown) }, say(warned ? "option.anyway" : "option.take"), make("kbd", {}, "↵")),
        make("button.act.low.tall", { id: "leave", onclick: () => (choice.unselect(), this.table.draw()) }, say("option.leave"), make("kbd", {}, "Esc")),
      ),
      ...listed.map((option) => this.choose(option)),
    );
  }

  /** @param {Option} option */
  choose(option) {
    const cost = option.cost != null ? ` · ${say("option.cost", { n: option.cost })}` : "";
    return make("button.act.low.wide", { onclick: () => void this.table.choice.take(option) }, `${option.label ?? option.text}${cost}`);
  }

  // ---------------------------------------------------------------- what was, what comes

  drawStory() {
    const { story, away } = this.table;
    const again = (story.hasRound || away > 0) && !story.playing;
    the("story").hidden = !story.playing && !again;
    if (story.playing) fill(the("story"), make("button.act.low", { id: "skip", onclick: () => story.skip() }, icon("u-step", 16), say("story.skip")));
    else if (again) {
      const words = away ? say("story.away", { n: away }) : "";
      const show = () => {
        const { unseen } = this.table;
        this.table.away = 0;
        this.table.unseen = [];
        if (unseen.length) story.point(unseen);
        else story.again();
      };
      fill(the("story"), words ? make("p.note", {}, words) : null, make("button.act.low", { id: "again", onclick: show }, icon("u-play", 16), say(away ? "story.show" : "story.again")));
    }
  }

  foot() {
    const { table } = this;
    this.note = make("p.note", { id: "left" });
    this.undo = make("button.act.low.tall", { id: "undo", onclick: () => void table.takeBack() }, icon("u-undo", 18), say("foot.undo"), make("kbd", {}, "U"));
    this.start = make("button.act.low.tall", { id: "undo-turn", onclick: () => void table.takeBack("turn") }, say("foot.start"));
    this.buttons = make("div.row.buttons");
    fill(the("foot"), this.note, make("div.row.backs", {}, this.undo, this.start), this.buttons);
  }

  drawFoot() {
    const { choice, isOver, seats } = this.table;
    const acts = choice.canAct && !isOver && seats.mine.length > 0;
    the("foot").hidden = !seats.mine.length || isOver || this.table.presence?.state === "open";
    const locked = !acts || Boolean(choice.sending);
    const back = choice.undo > 0 && !choice.sending;
    for (const button of [this.undo, this.start]) button.disabled = !back;
    const others = choice.others;
    const left = acts && others ? say("foot.left", { n: others }) : "";
    const undo = acts ? say(choice.undo ? "foot.can" : "foot.cannot", { n: choice.undo }) : "";
    write(this.note, [left, undo].filter(Boolean).join(" "));
    const key = JSON.stringify([choice.buttons, locked, choice.why.turn, this.sure > 0]);
    if (key === this.pressed) return;
    this.pressed = key;
    const single = choice.buttons.length === 1;
    const made = choice.buttons.map((option) =>
      make(
        "button.act.grow", { "data-act": option.text, disabled: locked || Boolean(option.why), onclick: () => this.press(option) },
        this.sure && single ? say("foot.sure", { label: option.label ?? option.text }) : (option.label ?? option.text),
        single ? make("kbd", {}, "E") : null,
      ),
    );
    const why = choice.buttons.find((option) => option.why)?.why ?? choice.why.turn;
    fill(this.buttons, ...made, acts && why ? make("p.note", {}, why) : null);
  }

  pressEnd() {
    const { buttons, canAct } = this.table.choice;
    if (canAct && buttons.length === 1 && !buttons[0].why) this.press(buttons[0]);
  }

  /** A lone button ends something: it asks once more while others can still act. @param {Option} option */
  press(option) {
    const { choice } = this.table;
    const ends = choice.buttons.length === 1 && choice.others > 0 && !option.warn;
    if (ends && !this.sure) {
      this.sure = setTimeout(() => ((this.sure = 0), this.table.draw()), SURE);
      return this.table.draw();
    }
    clearTimeout(this.sure);
    this.sure = 0;
    return void choice.take(option);
  }
}

/** What an option is called where it has no label.
 * @param {Option} option @param {string} from @param {import("../board/board.js").Board} board */
function title(option, from, board) {
  if (option.label && option.label !== option.text) return option.label;
  const to = option.to ? (board.place(option.to)?.name ?? option.to) : "";
  const there = option.to ? board.unitOf(option.to) : null;
  if (option.mark === "target" && there) return say("option.target", { unit: there.name ?? there.kind, to });
  const unit = board.unitOf(from);
  if (from.startsWith("palette/") && to && unit) return say("option.place", { unit: unit.name ?? unit.kind, to });
  return to ? say("option.move", { to }) : option.text;
}

/** Numbers a unit carries, as its view names them. @param {any} unit @returns {string[]} */
const facts = (unit) => (unit.bars ?? []).map((/** @type {any} */ bar) => `${bar.name ?? ""} ${bar.value ?? ""}${bar.of ? `/${bar.of}` : ""}`.trim());

/** @param {any} preview @returns {any} */
const values = (preview) => Object.fromEntries(preview?.ch ?? []);
