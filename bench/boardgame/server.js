// boardgame.io's own server in memory mode with tic-tac-toe: what the table is measured against.
// `node server.js ROUNDS`: so many rounds make a match. With 1 it is the plain game, whose matches are made and sat down
// to every eight moves; with 10 that costs next to nothing beside the moves.
'use strict';

const { Server } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const ROUNDS = Number(process.argv[2] || 10);
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const isWon = (cells) => LINES.some(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c]);
const isFull = (cells) => cells.every((cell) => cell !== null);

const game = {
  name: 'tic-tac-toe',
  setup: () => ({ cells: Array(9).fill(null), round: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell({ G, playerID }, cell) {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
      if (isWon(G.cells) || isFull(G.cells)) {
        G.cells = Array(9).fill(null);
        G.round += 1;
      }
    },
  },
  endIf: ({ G }) => (G.round === ROUNDS ? { draw: true } : undefined),
};

const server = Server({ games: [game], origins: ['http://127.0.0.1'] });
server.run({ port: { port: 0, host: '127.0.0.1' } }).then(({ appServer }) => {
  console.log(`port ${appServer.address().port}`);
});
process.stdin.on('end', () => process.exit(0)).resume(); // ends with the bench, however that ends
