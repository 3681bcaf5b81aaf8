// @ts-check
/**
 * The board: one SVG, driven by the scene. It knows no game: it draws what the scene says, shows the choices it is given,
 * and says what was picked. All it shows follows from its fields. types.d.ts says what a page may tell it, and it a page.
 */
import { Army } from "./army.js";
import { Blocks } from "./block.js";
import { attach } from "./hands.js";
import { ink, path, set } from "./ink.js";
import { WORDS, label } from "./labels.js";
import * as marks from "./marks.js";
import { Pan } from "./pan.js";
import { loadSigns } from "./signs.js";
import { Slip } from "./slip.js";
import * as square from "./square.js";

/** @import {Scene} from "./scene.js" @import {Cell, Field, Geometry, How, Marked, Says, Value} from "./types.js"
 * @typedef {import("./types.js").Option} Option */

const [SMALLEST, LARGEST] = [28, 120]; // pixels of a cell when the board is first seen
const [WIDE, AIR] = [600, 24]; // pixels: with so much room so much stays empty around
const LAYERS = ["land", "grid", "last", "threat", "selected", "reach", "units", "ghosts", "target", "aim", "labels", "carried", "pointed", "focus"];
/** @type {Field} */
const NOWHERE = { size: 0, margin: 0, lines: [], cells: new Map(), columns: [], rows: [], dotted: [] };
let boards = 0;

export class Board {
  /** @param {HTMLElement} element @param {How} how */
  constructor(element, how = {}) {
    this.element = element;
    this.how = how;
    this.words = { ...WORDS, ...how.words };
    this.name = `b${++boards}`;
    /** @type {Scene | undefined} */ this.scene = undefined;
    /** @type {Value} the scene's `board` */ this.entry = null;
    /** @type {Geometry} */ this.shape = square;
    /** @type {Field} its cells; none before the first scene */ this.field = NOWHERE;
    this.turned = false;
    this.blocks = new Blocks(this.name, SMALLEST);
    /** @type {Map<string, Element>} name → grid cell */ this.cells = new Map();
    /** @type {Map<number, string>} side → what it is called */ this.sides = new Map();
    /** @type {Map<string, number>} key that can act → how often */ this.from = new Map();
    /** @type {string | null} key */ this.selected = null;
    this.waiting = false; // choices of the selected are still to come
    /** @type {Map<string, Option[]>} name of a cell → what may be done there */ this.options = new Map();
    /** @type {string | null} name of the choice pointed at */ this.aimed = null;
    /** @type {string | null} name of the cell that takes the focus */ this.cursor = null;
    /** @type {string[]} keys the last action spoke of */ this.refs = [];
    /** @type {Map<string, string>} name of a cell → words */ this.overlay = new Map();
    /** @type {string | null} key beside which the slip lies */ this.refused = null;
    /** @type {{unit: Value, to: string} | null} a ghost */ this.plan = null;

    element.classList.add("board");
    this.definitions = ink("defs");
    this.under = ink("g", { "aria-hidden": "true" });
    this.grid = ink("g", { role: "grid", "aria-label": this.words.board });
    /** @type {Object<string, SVGElement>} */ this.layers = {};
    for (const name of LAYERS) this.layers[name] = ink("g", { class: `layer ${name}`, "aria-hidden": "true" });
    this.svg = ink("svg", { class: "board-drawing" }, this.definitions, this.under, this.grid, ...Object.values(this.layers));
    element.append(this.svg);
    this.army = new Army(this.layers.units);
    this.slip = new Slip(element);
    this.pan = new Pan(element, this.svg, () => this.layOut());
    this.press = attach(this);
    new ResizeObserver(() => this.resize()).observe(element);
    loadSigns().then(() => this.muster(), () => {}); // letters stand until the symbols come, or for good
  }

  /** @type {Says["draw"]} */
  async draw(scene, changes, { speed = 0, refs } = {}) {
    const whole = this.scene !== scene || !changes;
    this.scene = scene;
    if (refs) this.last(refs);
    if (scene.get("board") !== this.entry) return this.build();
    const keys = whole ? [...scene.keys(), ...this.units.keys()] : [...changes].map(([key]) => key);
    const family = (/** @type {string} */ name) => keys.filter((key) => key.startsWith(name));
    const dirty = new Set(family("cell/").map((key) => key.slice(5)));
    if (dirty.size || whole) this.put("land", marks.land(this, scene));
    const moving = this.army.draw(this, family("unit/"), speed, dirty);
    const named = family("seat/").length > 0;
    if (named) this.nameSides();
    this.relabel(whole || named ? this.cells.keys() : dirty);
    if (this.selected?.startsWith("unit/") && !this.place(this.selected)) this.select(null);
    else if (this.selected) this.drawChoices();
    await Promise.all(moving);
  }

  /** @type {Says["sources"]} */
  sources(sources) {
    const before = this.from;
    this.from = new Map(Object.entries(sources));
    this.relabelKeys([...before.keys(), ...this.from.keys()]);
    if (!this.element.contains(document.activeElement)) this.setCursor(this.actingCells()[0] ?? this.cursor);
  }

  /** @type {Says["select"]} */
  select(key) {
    const before = this.selected;
    this.selected = key;
    this.relabelKeys([before, key]);
    this.choices([]);
    this.waiting = key !== null;
  }

  /** @type {Says["choices"]} */
  choices(list) {
    const before = this.options;
    this.options = new Map();
    for (const option of list) {
      const name = option.to && this.place(option.to)?.name;
      if (name) this.options.set(name, [...(this.options.get(name) ?? []), option]);
    }
    this.waiting = false;
    if (this.aimed && !this.options.has(this.aimed)) this.aimed = null;
    this.relabel([...before.keys(), ...this.options.keys()]);
    this.drawChoices();
    this.press.settle();
  }

  /** @type {Says["marks"]} */
  marks(words) {
    const before = this.overlay;
    this.overlay = new Map(Object.entries(words ?? {}).map(([key, said]) => [key.replace(/^cell\//, ""), said]));
    this.relabel([...before.keys(), ...this.overlay.keys()]);
    this.put("threat", marks.threat(this, this.endangered()));
    this.drawLabels();
  }

  /** @type {Says["last"]} */
  last(refs) {
    this.refs = refs;
    this.put("last", marks.last(this, this.places(refs)));
  }

  /** @type {Says["blocked"]} */
  blocked(key, sentence = "") {
    this.refused = key;
    this.slip.say(key && this.place(key) ? sentence : "");
    this.layOut();
    this.drawLabels();
  }

  /** @type {Says["flip"]} */
  flip(seat) {
    const turned = seat === undefined ? !this.turned : seat % 2 === 1;
    if (turned === this.turned) return;
    this.turned = turned;
    if (this.scene) this.build();
  }

  /** @type {Says["focus"]} */
  focus(key) {
    const name = this.place(key)?.name;
    if (!name) return;
    this.setCursor(name);
    /** @type {SVGElement | undefined} */ (this.cells.get(name))?.focus({ preventScroll: true });
  }

  /** @type {Says["ghost"]} */
  ghost(option, source = this.selected) {
    const unit = source && this.unitOf(source);
    this.plan = option?.to && unit ? { unit, to: option.to } : null;
    this.drawGhosts();
  }

  /** @type {Says["point"]} */
  point(refs = []) {
    this.put("pointed", this.places(refs).map((cell) => path(this.shape.outline(this.field, cell, 1), "pointed")));
  }

  // ---------------------------------------------------------------- asked

  get units() {
    return this.army.units;
  }

  get standing() {
    return this.army.standing;
  }

  /** The cell of a key. @param {string} key */
  place(key) {
    const name = key.startsWith("cell/") ? key.slice(5) : (this.units.get(key)?.cell.name ?? "");
    return this.shape.place(this.field, name);
  }

  /** @param {string[]} keys */
  places(keys) {
    return keys.flatMap((key) => this.place(key) ?? []);
  }

  /** Who would move from a source: the unit itself, who stands on the cell, or what a palette offers. @param {string} key */
  unitOf(key) {
    const [first = key] = key.startsWith("cell/") ? (this.standing.get(key.slice(5)) ?? []) : [];
    return this.units.get(first)?.value ?? this.scene?.get(first);
  }

  /** What can act on a cell; the next of several when one is selected already. @param {string} name */
  sourceAt(name) {
    const keys = [...(this.standing.get(name) ?? []), `cell/${name}`].filter((key) => this.from.has(key));
    return keys[keys.indexOf(this.selected ?? "") + 1] ?? keys[0] ?? null;
  }

  /** Names of cells with something that can act, in reading order. */
  actingCells() {
    const names = new Set(this.places([...this.from.keys()]).map(({ name }) => name));
    return [...this.cells.keys()].filter((name) => names.has(name));
  }

  /** The first choice of each cell, if its mark fits. @param {(mark: string) => boolean} fits @returns {Marked[]} */
  chosen(fits) {
    const found = [...this.options].filter(([, [{ mark }]]) => fits(mark ?? ""));
    return found.map(([name, [option]]) => ({ ...option, cell: /** @type {Cell} */ (this.shape.place(this.field, name)) }));
  }

  /** @returns {Marked[]} */
  endangered() {
    return [...this.overlay].flatMap(([name, words]) => this.places([`cell/${name}`]).map((cell) => ({ cell, words })));
  }

  // ---------------------------------------------------------------- drawing

  /** @param {string} layer @param {Node[]} nodes */
  put(layer, nodes) {
    this.layers[layer].replaceChildren(...nodes);
  }

  /** Everything anew: another board, another size, turned. */
  build() {
    const scene = /** @type {Scene} */ (this.scene);
    const entry = (this.entry = scene.get("board"));
    this.shape = { square, ...this.how.geometry }[/** @type {string} */ (entry.geometry)] ?? square;
    const size = { width: this.element.clientWidth || WIDE, height: this.element.clientHeight || WIDE };
    const air = Math.min(size.width, size.height) < WIDE ? 0 : AIR;
    const cell = Math.min(Math.max(this.shape.fit(entry, size.width - air, size.height - air), SMALLEST), LARGEST);
    this.field = this.shape.build(entry, cell, this.turned);
    this.blocks = new Blocks(this.name, cell, entry.art, entry.pieces);
    this.definitions.replaceChildren(...this.blocks.definitions());
    const { under, over } = this.shape.frame(this.field);
    this.under.replaceChildren(...under);
    this.put("grid", over);
    this.put("land", marks.land(this, scene));
    this.nameSides();
    this.muster();
    this.drawGround();
    this.pan.reset({ ...this.shape.bounds(this.field), cell }, size);
    this.last(this.refs);
    this.put("threat", marks.threat(this, this.endangered()));
    this.drawChoices();
    this.drawGhosts();
  }

  /** All units anew. */
  muster() {
    this.army.clear();
    this.army.draw(this, this.scene?.keys("unit/") ?? [], 0, new Set());
  }

  drawGround() {
    const { lines } = this.field;
    const held = this.cursor !== null && this.element.contains(document.activeElement);
    set(this.grid, "aria-rowcount", lines.length);
    set(this.grid, "aria-colcount", Math.max(...lines.map((line) => line.length)));
    const rows = lines.map((line, n) => this.shape.ground(this.field, n, line.map(({ name }) => label(this, name))));
    this.grid.replaceChildren(...rows);
    this.cells = new Map(lines.flatMap((line, n) => line.map(({ name }, at) => [name, rows[n].children[at]])));
    const here = this.cursor && this.cells.has(this.cursor) ? this.cursor : null;
    this.setCursor(here ?? this.actingCells()[0] ?? lines.at(-1)?.[0].name);
    if (held) this.focus(`cell/${this.cursor}`);
  }

  /** Selection, reach, targets, aim. */
  drawChoices() {
    const cell = this.selected && this.place(this.selected);
    this.put("selected", cell ? marks.selected(this, cell) : []);
    this.put("reach", marks.reach(this, this.chosen((mark) => mark !== "target" && mark !== "blocked")));
    this.put("target", marks.targets(this, this.chosen((mark) => mark === "target")));
    this.drawAim();
    this.drawLabels();
  }

  drawAim() {
    for (const old of this.layers.reach.querySelectorAll(".aimed")) old.classList.remove("aimed");
    const [from, option] = [this.selected && this.place(this.selected), this.aimed && this.options.get(this.aimed)?.[0]];
    const to = this.aimed && this.shape.place(this.field, this.aimed);
    const aimed = option && to && option.mark !== "blocked";
    if (aimed) this.layers.reach.querySelector(`[data-cell="${CSS.escape(to.name)}"]`)?.classList.add("aimed");
    this.put("aim", aimed && from ? marks.aim(this, from, to, option.mark === "target", this.places(option.way ?? [])) : []);
  }

  drawLabels() {
    const crossed = this.chosen((mark) => mark === "blocked").map(({ cell }) => cell);
    if (this.refused) crossed.push(...this.places([this.refused]));
    this.put("labels", [...marks.threatWords(this, this.endangered()), ...marks.blocked(this, crossed)]);
  }

  drawGhosts() {
    const at = this.plan && this.place(this.plan.to);
    if (!this.plan || !at) return this.put("ghosts", []);
    const look = { class: this.blocks.look(this.plan.unit), transform: this.blocks.at(at) };
    return this.put("ghosts", [ink("g", look, ...this.blocks.dashed(this.plan.unit))]);
  }

  nameSides() {
    this.sides = new Map();
    for (const [, { side, name }] of this.scene?.entries("seat") ?? []) {
      this.sides.set(side, this.sides.has(side) ? `${this.sides.get(side)} & ${name}` : name);
    }
  }

  /** @param {Iterable<string>} names */
  relabel(names) {
    const selected = this.selected && this.place(this.selected)?.name;
    for (const name of new Set(names)) {
      const cell = this.cells.get(name);
      if (!cell) continue;
      set(cell, "aria-label", label(this, name));
      set(cell, "aria-selected", selected === name ? "true" : null);
    }
  }

  /** @param {(string | null)[]} keys */
  relabelKeys(keys) {
    this.relabel(this.places(keys.map((key) => key ?? "")).map(({ name }) => name));
  }

  /** One cell can be reached by Tab, the rest by arrows. @param {string | null} [name] */
  setCursor(name = null) {
    for (const [cell, index] of /** @type {[string | null, number][]} */ ([[this.cursor, -1], [name, 0]])) {
      const element = cell && this.cells.get(cell);
      if (element) set(element, "tabindex", index);
    }
    this.cursor = name;
  }

  layOut() {
    const cell = this.refused && this.place(this.refused);
    if (cell) this.slip.beside(this.pan.toFrame(cell), (this.field.size / 2) * this.pan.view.k);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (this.scene && width && height && (width !== this.pan.size.width || height !== this.pan.size.height)) this.build();
  }
}
