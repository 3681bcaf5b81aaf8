// @ts-check
/** The one key table: every page and every game go by it, and `?` shows it. */

/** @import {Key} from "./types.js" */

/** @type {Key[]} */
export const KEYS = [
  { name: "left", keys: ["ArrowLeft"], says: "Walk to the cell on the left.", board: true },
  { name: "right", keys: ["ArrowRight"], says: "Walk to the cell on the right.", board: true },
  { name: "up", keys: ["ArrowUp"], says: "Walk to the cell above.", board: true },
  { name: "down", keys: ["ArrowDown"], says: "Walk to the cell below.", board: true },
  { name: "commit", keys: ["Enter", " "], says: "Select what stands here, or do what is marked here.", board: true },
  { name: "back", keys: ["Escape"], says: "Back: leave the target, then the selection.", board: true },
  { name: "next", keys: ["n"], says: "Next of yours that can act.", board: true },
  { name: "previous", keys: ["p"], says: "The one before that can act.", board: true },
  { name: "target", keys: ["t"], says: "Next target of what is selected.", board: true },
  { name: "danger", keys: ["x"], says: "Hold: show what is in danger." },
  { name: "inspect", keys: ["i"], says: "Say all about the cell here.", board: true },
  { name: "undo", keys: ["u"], says: "Take back the last action." },
  { name: "end", keys: ["e"], says: "End the turn." },
  { name: "log", keys: ["l"], says: "Go to the log." },
  { name: "flip", keys: ["f"], says: "Turn the board: own side below, or the other.", board: true },
  { name: "pan up", keys: ["w"], says: "Look further up.", board: true },
  { name: "pan left", keys: ["a"], says: "Look further left.", board: true },
  { name: "pan down", keys: ["s"], says: "Look further down.", board: true },
  { name: "pan right", keys: ["d"], says: "Look further right.", board: true },
  { name: "smaller", keys: ["-"], says: "Zoom out.", board: true },
  { name: "larger", keys: ["=", "+"], says: "Zoom in.", board: true },
  { name: "whole", keys: ["r"], says: "The whole board again.", board: true },
  { name: "help", keys: ["?"], says: "Show these keys." },
];

const BY_KEY = new Map(KEYS.flatMap((entry) => entry.keys.map((key) => [key, entry])));
let letters = true;

/** Single letters can be switched off, for those who type them by accident (WCAG 2.1.4). @param {boolean} on */
export function useLetters(on) {
  letters = on;
}

/** What a key press means here: nothing while somebody writes, or while the browser's own keys are meant. @param {KeyboardEvent} event @returns {Key | undefined} */
export function keyOf({ key, target, ctrlKey, altKey, metaKey }) {
  const writes = target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
  const letter = key.length === 1 && key !== " ";
  if (writes || ctrlKey || altKey || metaKey || (letter && !letters)) return undefined;
  return BY_KEY.get(letter ? key.toLowerCase() : key);
}
