// @ts-check
import { Board } from "../board/board.js";
import { Scene } from "../board/scene.js";
import { large, lone, middle, unit, field } from "./scenes.js";

/** @param {string} id */
const place = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} where @param {string} name @param {Object<string, any>} values @param {(board: Board) => void} [state] */
function show(where, name, values, state) {
  const [figure, element, words] = ["figure", "div", "figcaption"].map((tag) => document.createElement(tag));
  words.textContent = name;
  figure.append(element, words);
  place(where).append(figure);
  const board = new Board(element, { words: { board: name } });
  const scene = new Scene(values);
  board.draw(scene);
  state?.(board);
}

/** @param {Board} board @param {string} to @param {string} mark @param {Object<string, any>} more */
const option = (board, to, mark, more = {}) => board.choices([{ text: "", to: `cell/${to}`, mark, ...more }]);

const STATES = /** @type {[string, Object<string, any>, (board: Board) => void][]} */ ([
  ["selected", unit("swordsmen", 0, "b2"), (board) => board.select("unit/b2")],
  ["reachable", unit("swordsmen", 0, "a1"), (board) => (board.select("unit/a1"), option(board, "b2", "reach", { cost: 2 }))],
  ["reachable, no cost", unit("swordsmen", 0, "a1"), (board) => (board.select("unit/a1"), option(board, "b2", "reach"))],
  ["target", unit("axemen", 1, "b2"), (board) => option(board, "b2", "target", { cost: 2 })],
  ["target, aimed at", { ...unit("axemen", 1, "b2"), ...unit("swordsmen", 0, "b1") }, (board) => {
    board.select("unit/b1");
    option(board, "b2", "target", { cost: 2 });
    board.aimed = "b2";
    board.drawAim();
  }],
  ["threatened", unit("axemen", 0, "a1"), (board) => board.marks({ b2: "6 in 36" })],
  ["blocked", unit("cavalry", 1, "b2"), (board) => board.blocked("unit/b2")],
  ["acted", unit("archers", 0, "b2", "moved")],
  ["last move", unit("archers", 0, "c3"), (board) => board.last(["cell/a1", "cell/c3"])],
  ["hidden", { "cell/b2": { fog: true }, "unit/b2": { side: 1, at: "b2" } }],
  ["will be lost", unit("spearman", 0, "b2", "lost"), (board) => board.marks({ b2: "" })],
  ["ghost", unit("swordsmen", 0, "a1"), (board) => board.ghost({ text: "", to: "cell/b2" }, "unit/a1")],
  ["focus", unit("pikemen", 0, "b2"), (board) => board.focus("cell/b2")],
  ["held too strongly", { "unit/b2": { kind: "knight", side: 2, at: "b2", level: 3 } }],
  ["facing", { "unit/b2": { kind: "inf", side: 1, at: "b2", facing: 90 } }],
  ["not possible, said", unit("cavalry", 1, "b2"), (board) => board.blocked("unit/b2", "Archers do not take cavalry. T4.2")],
]);

function whole() {
  const asked = new URLSearchParams(location.search);
  const [columns, rows] = (asked.get("size") ?? "").split("x").map(Number);
  if (asked.has("bare")) document.body.classList.add("bare");
  const scene = new Scene(columns ? large(columns, rows) : middle());
  const keys = () => scene.keys("unit/");
  const board = new Board(place("whole"), {
    onSelect: (key) => board.choices(key ? around(key) : []),
    onCommit: (text) => {
      const [from, to] = text.split("-");
      /** @type {import("../board/types.js").Change[]} */
      const changes = [[`unit/${to}`, { ...scene.get(`unit/${from}`), at: to }], [`unit/${from}`, null]];
      scene.patch(changes);
      board.select(null);
      board.draw(scene, changes, { speed: 1, refs: [`cell/${from}`, `cell/${to}`] });
      board.sources(Object.fromEntries(keys().map((key) => [key, 1])));
    },
    onMiss: (_, to) => board.blocked(to, "Too far. One step at a time."),
    onHover: (key, picked) => (place("said").textContent = key ? `${key} ${picked?.text ?? ""}` : ""),
  });
  /** @param {string} key */
  function around(key) {
    const { cell, value } = /** @type {any} */ (board.units.get(key));
    return [...board.field.cells.values()].filter((other) => other !== cell && board.shape.steps(cell, other) === 1).flatMap((other) => {
      const [there] = board.standing.get(other.name) ?? [];
      const foe = there && scene.get(there).side !== value.side;
      if (there && !foe) return [];
      const cost = other.column === cell.column || other.row === cell.row ? 2 : 3;
      return [{ text: `${cell.name}-${other.name}`, to: `cell/${other.name}`, cost, mark: foe ? "target" : "reach" }];
    });
  }
  const started = performance.now();
  board.draw(scene);
  const built = performance.now() - started;
  board.sources(Object.fromEntries(keys().map((key) => [key, 1])));
  Object.assign(window, { board, scene, built, Scene });
}

if (!location.search.includes("bare")) {
  for (const [name, values, state] of STATES) show("states", name, lone(values), state);
  ["1 azure", "2 gules", "3 vert", "4 or", "5 purpure", "6 sable"].forEach((name, side) => {
    const land = Object.fromEntries(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"].map((cell) => [`cell/${cell}`, { side }]));
    const kind = ["peasant", "spearman", "knight", "baron", "cav", "axemen"][side];
    show("sides", name, { ...field(3, 3), ...land, "unit/b2": { kind, side, at: "b2" }, "unit/a1": { kind, side, at: "a1", marks: ["moved"] } });
  });
}
whole();
