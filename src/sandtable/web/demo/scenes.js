// @ts-check
/** Scenes for the demo: nothing here is a rule of any game. */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** @param {number} columns @param {number} rows @param {Object<string, any>} [more] */
export function field(columns, rows, more = {}) {
  const names = [...Array(columns).keys()].map((n) => (n < 26 ? "" : LETTERS[Math.floor(n / 26) - 1]) + LETTERS[n % 26]);
  const row_names = [...Array(rows).keys()].map((n) => String(n + 1));
  return { board: { geometry: "square", columns, rows, column_names: names, row_names, ...more } };
}

/** @param {string} kind @param {number} side @param {string} at @param {string[]} marks */
export const unit = (kind, side, at, ...marks) => {
  return { [`unit/${at}`]: { kind, sign: kind[0].toUpperCase(), side, at, ...(marks.length ? { marks } : {}) } };
};

const KINDS = ["axemen", "swordsmen", "cavalry", "pikemen", "archers", "arquebusiers", "mages", "guard"];

/** A board in the middle of a game. */
export const middle = () => {
  const stand = [
    [0, "guard e1, archers f1, arquebusiers c2, pikemen d2, mages e2, pikemen c3, cavalry f3, swordsmen h3, swordsmen d4, axemen g4"],
    [1, "guard d8, arquebusiers f8, swordsmen c7, pikemen d7, cavalry e7, pikemen b6, archers f6, mages g6, arquebusiers c5, axemen d5, cavalry e5, axemen h5"],
  ].flatMap(([side, said]) => String(said).split(", ").map((one) => unit(one.split(" ")[0], Number(side), one.split(" ")[1])));
  const corners = Object.fromEntries(["d1", "e1", "d2", "e2", "d7", "e7", "d8", "e8"].map((name) => [`cell/${name}`, { marks: ["guard"] }]));
  const seats = { "seat/0": { name: "White", side: 0 }, "seat/1": { name: "Black", side: 1 } };
  return { ...field(8, 8, { dotted: [3, 5], pieces: "wood" }), ...seats, ...corners, ...Object.assign({}, ...stand), ...unit("archers", 0, "b4", "moved") };
};

/** As many cells as asked, a block on every seventh. @param {number} columns @param {number} rows */
export function large(columns, rows) {
  const scene = field(columns, rows);
  const { column_names, row_names } = /** @type {any} */ (scene.board);
  let n = 0;
  for (const row of row_names) {
    for (const column of column_names) {
      if (n++ % 7 === 0) Object.assign(scene, unit(KINDS[n % 8], n % 6, column + row));
    }
  }
  return scene;
}

/** A lone cell for one state. @param {Object<string, any>} more */
export const lone = (more) => {
  return { ...field(3, 3, { pieces: "wood" }), ...more };
};
