/** What the board's files mean by their words. Read by people and by the type checker; no browser ever fetches it. */

import type { Scene } from "./scene.js";

/** A small JSON value: what a unit, a cell, a seat says of itself. */
export type Value = any;

/** A new value, or null for what is gone. */
export type Change = [key: string, value: Value | null];

/** An action as the server lists it. */
export interface Option {
  text: string;
  to?: string | null; // the cell it is done on; without one it is a button of the page
  cost?: number | null;
  mark?: string | null; // reach, target, blocked, button
  odds?: string | null;
  label?: string;
  warn?: string | null;
  way?: string[]; // keys of the cells between, where a path matters
  say?: string; // of a blocked one: why
}

/** What a page tells a new board, and what the board tells the page. */
export interface How {
  geometry?: Record<string, Geometry>; // besides square
  words?: Record<string, string>; // over those of labels.js
  onSelect?(key: string | null): void;
  onCommit?(text: string, option: Option): void;
  onMany?(options: Option[], key: string): void; // a cell with several actions was picked
  onHover?(key: string | null, option: Option | null): void; // by pointer, focus or first tap
  onInspect?(key: string): void;
  onMiss?(from: string, to: string): void; // let go, or pressed, where nothing may be done
  onKey?(name: string, down: boolean): void; // a key of keys.js that is the page's to answer
}

/** A cell as drawn: its middle in pixels of the board at rest, column and row counted from the upper left. */
export interface Cell {
  name: string;
  x: number;
  y: number;
  column: number;
  row: number;
}

/** All cells of a board, of one size, turned or not: what `build` makes. */
export interface Field {
  size: number; // pixels of a cell
  lines: Cell[][]; // rows as drawn, in reading order
  cells: Map<string, Cell>;
  margin: number; // of paper around
  columns: string[]; // names along the edges, as drawn
  rows: string[];
  dotted: number[]; // a dotted line runs along the upper edge of these rows
}

export type Direction = "left" | "right" | "up" | "down";

export interface Place {
  x: number;
  y: number;
}

/** One file for each shape of board: square now; hex, plane, lane. Nothing else knows what a cell looks like. */
export interface Geometry {
  /** How large a cell may be so that the whole board fits. */
  fit(board: Value, width: number, height: number): number;
  build(board: Value, size: number, turned: boolean): Field;
  place(field: Field, name: string): Cell | undefined;
  /** The whole drawing, paper included. */
  bounds(field: Field): { width: number; height: number };
  cellAt(field: Field, x: number, y: number): Cell | undefined;
  neighbour(field: Field, cell: Cell, direction: Direction): Cell | undefined;
  /** How many cells a hand would move a block over. */
  steps(from: Cell, to: Cell): number;
  /** The cell's outline, drawn so many pixels inside its edge. */
  outline(field: Field, cell: Cell, inside: number): string;
  /** Its corners, or where corners mean nothing all of it, each arm so long. */
  corners(field: Field, cell: Cell, inside: number, arm: number): string;
  /** A mark the ground carries, where a block leaves it in sight. */
  lozenge(field: Field, cell: Cell): string;
  /** One row of the grid and its cells: they hold the focus themselves. */
  ground(field: Field, row: number, labels: string[]): SVGElement;
  /** What lies around and between the cells: paper beneath, lines and coordinates above. */
  frame(field: Field): { under: Node[]; over: Node[] };
}

/** A unit as drawn; the body moves inside the group. */
export interface Standing {
  key: string;
  value: Value;
  cell: Cell;
  group: SVGElement;
  body: SVGElement;
}

/** A choice to be marked on its cell. */
export interface Marked extends Partial<Option> {
  cell: Cell;
  words?: string;
}

/** What pointers do; places are the window's pixels. */
export interface Hands {
  grab(x: number, y: number): boolean; // whether there is something to carry
  carry(x: number, y: number): void;
  drop(x: number, y: number): void;
  letGo(): void;
  click(x: number, y: number, touch: boolean): void;
  hover(x: number, y: number): void;
  leave(): void;
  back(): void;
  inspect(x: number, y: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  rest(): void;
}

/** The part of the board that is seen: left and upper edge in pixels of the board, and the scale. */
export interface View {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A key of the one table; `board`: the board answers it itself. */
export interface Key {
  name: string;
  keys: string[];
  says: string;
  board?: boolean;
}

/** Draws one step of a playback: moving, this fast, or at once. */
export type Step = (moving: boolean, speed: number) => Promise<void> | void;

/** What a mark is drawn on: a board, as far as it matters. */
export interface On {
  shape: Geometry;
  field: Field;
}

/** The grammar of states (marks.js): each answers the nodes of one layer, around cells of whatever geometry. */
export interface Marks {
  selected(on: On, cell: Cell): Node[];
  /** Where the selected may go: all outlines in one path, a ring with the cost in each cell. */
  reach(on: On, cells: Marked[]): Node[];
  /** What it may harm: a ring with four ticks, the cost or short odds in a small ring at its upper right. */
  targets(on: On, cells: Marked[]): Node[];
  /** The way to what is aimed at: dotted to a place, solid with a head to a target; `way`: cells between. */
  aim(on: On, from: Place, to: Place, harm: boolean, way: Place[]): Node[];
  /** Not allowed there: a dashed grey line, a cross at its end. */
  noWay(on: On, from: Place, to: Place): Node[];
  /** Where somebody stood: corner ticks, an open pin, a dotted line to where it stands now. */
  last(on: On, cells: Cell[]): Node[];
  /** In danger: rising hatching with an edge. */
  threat(on: On, cells: Marked[]): Node[];
  /** How likely, in words, where there is room for words. */
  threatWords(on: On, cells: Marked[]): Node[];
  /** Somebody may not: a small ring with a cross at the upper right. */
  blocked(on: On, cells: Cell[]): Node[];
  /** Where the keyboard is: ink between two papers, outside everything else. */
  focus(on: On, cell: Cell): Node[];
  /** What lies on the ground: water, owned land, hidden cells, marks; one path for each kind, however many cells. */
  land(on: On, scene: Scene): Node[];
}

/** Elements of the drawing (ink.js). */
export interface Ink {
  ink(tag: string, attributes?: Record<string, string | number>, ...inside: (Node | string)[]): SVGElement;
  /** Writes an attribute only where it differs: reading is cheap, writing makes the browser think. */
  set(element: Element, name: string, value: string | number | null): void;
  /** Two places are a hundredth of a pixel; longer paths only cost time. */
  round(n: number): number;
  /** A path's points, joined by straight lines. */
  line(...points: Place[]): string;
  /** The path of a cross whose arms reach so far. */
  cross(x: number, y: number, r: number): string;
  path(d: string, look: string): SVGElement;
  circle(x: number, y: number, r: number, look: string): SVGElement;
  /** Words in the middle of a place. */
  text(words: string | number, x: number, y: number, size: number, look: string): SVGElement;
  /** A symbol of art/symbols.svg around a place. */
  symbol(id: string, x: number, y: number, size: number, look: string): SVGElement;
}

/** Hands moving blocks (motion.js); each resolves when the element lies still. */
export interface Motion {
  /** A block comes to rest where it is drawn, from so far off, over so many cells. */
  slide(element: Element, from: Place, cells: number, speed: number): Promise<void>;
  /** A captured block tips over and is gone. */
  tip(element: Element, speed: number): Promise<void>;
}

/** What a page says to a board, besides drawing; the board's own fields say how it stands. */
export interface Says {
  /** Shows a scene: all of it, or only these changes. With a speed blocks move there, and the promise waits for them. */
  draw(scene: Scene, changes?: Iterable<Change>, how?: { speed?: number; refs?: string[] }): Promise<void>;
  /** What can act now, and how often: only that is picked up. */
  sources(sources: Record<string, number>): void;
  /** Selects without asking anybody: `choices` is to follow. */
  select(key: string | null): void;
  /** What the selected may do. Options without a cell are the page's buttons. */
  choices(list: Option[]): void;
  /** What is in danger, by cell: words such as "6 in 36"; nothing clears it. */
  marks(words?: Record<string, string> | null): void;
  /** The last action, by what its event speaks of: from, between, to. */
  last(refs: string[]): void;
  /** Says beside a cell why something is not possible; without a cell the slip goes. */
  blocked(key: string | null, sentence?: string): void;
  /** Puts this seat's side below; without a seat the other one. */
  flip(seat?: number): void;
  /** Puts the keyboard's focus on a cell, or the cell of a unit. */
  focus(key: string): void;
  /** A planned place or a move not yet confirmed, dashed; null takes it away. The source is the selected, unless said. */
  ghost(option: Option | null, source?: string | null): void;
  /** Lights up what a line of the log speaks of; nothing puts it out. */
  point(refs?: string[]): void;
}

/** Looking at a part of the board (pan.js). */
export interface Looks {
  /** The whole board, or as much of it as there is room for. */
  reset(board?: Size & { cell: number }, frame?: Size): void;
  /** The view moved back to where there is something to see. */
  kept(view: View): View;
  /** A place of the window as a place of the board. */
  toBoard(x: number, y: number): Place;
  /** A place of the board as pixels of the frame. */
  toFrame(at: Place): Place;
  /** Pixels of the frame. */
  by(dx: number, dy: number): void;
  /** Zooms so that what lies under this place of the frame, its middle unless said, stays there. */
  zoom(factor: number, x?: number, y?: number): void;
  /** Brings a place into sight, with so many pixels of the board around it. */
  show(at: Place, room: number): void;
  to(view: View): void;
}

/** Drawing blocks (block.js), around 0,0. */
export interface Draws {
  /** The id of a side's outline: up, flat or ghost. */
  id(side: number, state: string): string;
  /** The class of a unit's group, which gives it its colours. */
  look(unit: Value): string;
  at(place: Place): string;
  /** What stands in the middle of a cell for a unit. */
  parts(unit: Value): Node[];
  /** A planned place, an unsent move, or with a letter somebody unknown. */
  dashed(unit: Value, letter?: string): Node[];
  /** The symbol of the unit's kind; its letter while nobody has drawn one. */
  sign(unit: Value, y: number, look: string): SVGElement;
  /** The front: a brass wedge outside the face, degrees clockwise from the top. */
  wedge(degrees: number): SVGElement;
  /** Will be lost: a gravestone so far off, right and down. */
  grave(far: number): SVGElement[];
  /** Held too strongly: a shield with the level. */
  shield(level: string | number, far: number): SVGElement[];
}

/** What somebody sees, as the lines the server hashes (scene.js). */
export interface Keeps {
  /** Puts changes in, in their order. */
  patch(changes: Iterable<Change>): void;
  /** Becomes another scene, whole; answers what differs. */
  replace(values: Record<string, Value>): Change[];
  get(key: string): Value | undefined;
  /** Every key of a family, "unit/" for one; in the order they came. */
  keys(prefix?: string): string[];
  /** Name and value of every `family/name`. */
  entries(family: string): [string, Value][];
  /** Eight hexadecimal digits, as the server sends them. */
  hash(): string;
}
