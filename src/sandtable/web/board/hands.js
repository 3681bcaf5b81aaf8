// @ts-check
/**
 * What pointer and keys do to a board. Pick what can act, then a marked cell: that is the action. On glass a first tap aims
 * and a second does it; cells too small for a finger are only aimed at, the page's button does it.
 */
import { ink } from "./ink.js";
import { keyOf } from "./keys.js";
import * as marks from "./marks.js";
import { listen } from "./pointer.js";

/** @import {Board} from "./board.js" @import {Direction, Hands} from "./types.js" */

const FINGER = 44; // pixels of a cell that a fingertip can mean
/** @type {Object<string, number[]>} cells panned by a key */
const PANS = { "pan up": [0, -1.5], "pan down": [0, 1.5], "pan left": [-1.5, 0], "pan right": [1.5, 0] };
const ZOOM = 1.25;
const STIR = 5; // pixels a press on a palette may tremble

/** @param {Board} board */
export function attach(board) {
  const { element, how, pan } = board;
  /** @type {string | null} name of the cell under the pointer */
  let hovered = null;
  /** @type {string | null} dropped here before the choices came */
  let dropped = null;
  /** @type {SVGElement | null} the block in the hand */
  let carried = null;
  let held = false; // the key of danger
  let pointing = false; // the focus follows a click: no ring

  /** @param {number} x @param {number} y */
  function nameAt(x, y) {
    const at = pan.toBoard(x, y);
    return board.shape.cellAt(board.field, at.x, at.y)?.name ?? null;
  }
  const placed = () => (board.selected && board.place(board.selected)) || undefined;

  /** @param {string | null} key */
  function select(key) {
    dropped = null;
    board.select(key);
    how.onSelect?.(key);
    return true;
  }

  /** @param {string | null} name */
  function aim(name) {
    const [option = null] = board.options.get(name ?? "") ?? [];
    board.aimed = option && name;
    board.drawAim();
    how.onHover?.(name && `cell/${name}`, option);
    return true;
  }

  /** Does what is marked on a cell; without one what is aimed at. */
  function commit(name = board.aimed) {
    const options = board.options.get(name ?? "") ?? [];
    const [option] = options;
    if (!option) return;
    if (option.mark === "blocked") return board.blocked(`cell/${name}`, option.say);
    if (options.length > 1 && how.onMany) return how.onMany(options, `cell/${name}`);
    board.choices([]); // pressed twice is not done twice
    how.onCommit?.(option.text, option);
  }

  /** Whether there was anything to leave. */
  function back() {
    const said = board.refused !== null;
    if (said) board.blocked(null);
    if (board.aimed && !hovered) return aim(null);
    return board.selected ? select(null) : said;
  }

  /** @param {string} name @param {boolean} touch */
  function pick(name, touch) {
    if (board.refused) board.blocked(null);
    if (board.options.has(name)) {
      const aims = touch && (board.aimed !== name || board.field.size * pan.view.k < FINGER);
      return aims ? aim(name) : commit(name);
    }
    const [key, before] = [board.sourceAt(name), board.selected];
    if (key) return select(key === before ? null : key);
    if (before) {
      select(null);
      how.onMiss?.(before, `cell/${name}`);
    }
    how.onInspect?.(`cell/${name}`);
  }

  /** Takes a block into the hand. @param {string} key */
  function lift(key) {
    if (board.selected !== key) select(key);
    const unit = board.unitOf(key) ?? {};
    for (const { value, group } of board.units.values()) if (value === unit) group.classList.add("lifted");
    carried = ink("g", { class: board.blocks.look(unit) }, ...board.blocks.parts({ ...unit, marks: [] }));
    element.classList.add("carrying");
  }

  /** @type {Hands} */
  const hands = {
    grab(x, y) {
      const name = nameAt(x, y);
      const key = name && (name === placed()?.name ? board.selected : board.sourceAt(name));
      if (key) lift(key);
      else element.classList.toggle("panning", pan.larger);
      return Boolean(key);
    },
    carry(x, y) {
      if (!carried) return;
      const [name, from] = [nameAt(x, y), placed()];
      carried.setAttribute("transform", board.blocks.at(pan.toBoard(x, y)));
      if (name !== hovered) aim((hovered = name));
      const wrong = from && name && name !== from.name && !board.waiting && !board.options.has(name) && board.place(`cell/${name}`);
      board.put("carried", wrong ? [...marks.noWay(board, from, wrong), carried] : [carried]);
    },
    drop(x, y) {
      const [name, from] = [nameAt(x, y), board.selected];
      hands.letGo();
      if (!name || name === placed()?.name) return;
      if (board.waiting) dropped = name;
      else if (board.options.has(name)) commit(name);
      else if (from) how.onMiss?.(from, `cell/${name}`);
    },
    letGo() {
      carried = hovered = null;
      board.put("carried", []);
      for (const { group } of board.units.values()) group.classList.remove("lifted");
      element.classList.remove("carrying");
      aim(null);
    },
    click(x, y, touch) {
      const name = nameAt(x, y);
      if (!name) return void back();
      pointing = true;
      board.focus(`cell/${name}`);
      pointing = false;
      pick(name, touch);
    },
    hover(x, y) {
      const name = nameAt(x, y);
      element.classList.toggle("can", name !== null && (board.options.has(name) || board.sourceAt(name) !== null));
      if (name !== hovered) aim((hovered = name));
    },
    leave() {
      if (hovered) aim((hovered = null));
    },
    back,
    inspect(x, y) {
      const name = nameAt(x, y);
      if (name) how.onInspect?.(`cell/${name}`);
    },
    pan: (dx, dy) => pan.by(dx, dy),
    zoom(factor, x, y) {
      const { left, top } = element.getBoundingClientRect();
      pan.zoom(factor, x - left, y - top);
    },
    rest() {
      element.classList.remove("panning");
      pan.rest();
    },
  };
  listen(element, hands);

  /** Choices have come: what was dropped before them falls into place. */
  function settle() {
    const name = dropped;
    dropped = null;
    if (name && board.options.has(name)) commit(name);
    else if (name && board.selected) how.onMiss?.(board.selected, `cell/${name}`);
  }

  /** A press on a palette's entry: drags it in. @param {string} key @param {PointerEvent} press */
  function carryIn(key, press) {
    if (press.button !== 0) return;
    const stop = new AbortController();
    const follow = (/** @type {PointerEvent} */ { type, clientX: x, clientY: y }) => {
      if (!carried && Math.hypot(x - press.clientX, y - press.clientY) > STIR) lift(key);
      if (type === "pointermove") return hands.carry(x, y);
      stop.abort();
      if (carried) type === "pointerup" ? hands.drop(x, y) : hands.letGo();
    };
    for (const type of ["pointermove", "pointerup", "pointercancel"]) {
      window.addEventListener(type, /** @type {EventListener} */ (follow), { signal: stop.signal });
    }
  }

  // ---------------------------------------------------------------- keys

  element.addEventListener("focusin", ({ target }) => {
    const name = target instanceof SVGElement ? target.dataset.cell : undefined;
    const cell = name && board.shape.place(board.field, name);
    if (!cell) return;
    board.setCursor(name);
    if (pointing || !(/** @type {Element} */ (target).matches(":focus-visible"))) return;
    pan.show(cell, board.field.size * 0.7);
    board.put("focus", marks.focus(board, cell));
    hovered = null;
    aim(name);
  });
  element.addEventListener("focusout", () => board.put("focus", []));

  /** To the next of these cells. @param {number} step @param {string[]} names @param {boolean} [take] selects what can act there */
  function jump(step, names, take) {
    if (!names.length) return;
    const at = names.indexOf(board.cursor ?? "");
    const name = names[at < 0 && step < 0 ? names.length - 1 : (at + step + names.length) % names.length];
    board.focus(`cell/${name}`);
    const key = take && board.sourceAt(name);
    if (key && key !== board.selected) select(key);
  }

  const marked = (/** @type {string} */ mark) =>
    [...board.cells.keys()].filter((name) => board.options.get(name)?.[0].mark?.startsWith(mark));
  /** @type {Object<string, () => boolean | void>} what was not for the board answers false */
  const does = {
    commit: () => void (board.cursor && pick(board.cursor, false)),
    back,
    next: () => jump(1, board.actingCells(), true),
    previous: () => jump(-1, board.actingCells(), true),
    target: () => jump(1, marked("target").length ? marked("target") : marked("")),
    inspect: () => void (board.cursor && how.onInspect?.(`cell/${board.cursor}`)),
    flip: () => board.flip(),
    smaller: () => pan.zoom(1 / ZOOM),
    larger: () => pan.zoom(ZOOM),
    whole: () => pan.reset(),
  };

  /** A key press anywhere in the page: true if it was one of the table. @param {KeyboardEvent} event */
  function key(event) {
    const entry = event.defaultPrevented || !board.scene ? undefined : keyOf(event);
    if (!entry) return false;
    const inside = element.contains(document.activeElement);
    if (event.type === "keyup") {
      if (entry.name === "danger" && held) how.onKey?.("danger", (held = false));
      return true;
    }
    const walks = entry.keys[0].startsWith("Arrow");
    if (!inside && (entry.name === "commit" || (walks && document.activeElement !== document.body))) return false;
    if (walks) {
      const here = board.place(`cell/${board.cursor}`);
      const there = here && inside ? board.shape.neighbour(board.field, here, /** @type {Direction} */ (entry.name)) : here;
      if (there) board.focus(`cell/${there.name}`);
    } else if (PANS[entry.name]) {
      const [across, down] = PANS[entry.name].map((step) => step * board.field.size * pan.view.k);
      pan.by(across, down);
    } else if (entry.board) {
      if (does[entry.name]() === false) how.onKey?.(entry.name, true);
    } else if (!event.repeat) {
      held ||= entry.name === "danger";
      how.onKey?.(entry.name, true);
    }
    event.preventDefault();
    return true;
  }
  element.addEventListener("keydown", key);
  element.addEventListener("keyup", key);
  window.addEventListener("blur", () => held && how.onKey?.("danger", (held = false)));

  return { key, commit, back, settle, carryIn };
}
