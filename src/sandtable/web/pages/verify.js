// @ts-check
/** Recomputes every roll of a sealed match, as docs/dice.md says. `crypto.subtle` is there on https and on this machine only. */

/** @typedef {{commitment: string, secret: string, match: string, seeds: string[]}} Seal */
/** @typedef {{faces: number[], count: number, outcome: number, nth: number, salt: string}} Roll */
/** @typedef {{ok: boolean, rolls: number, sealed: boolean, wrong: {row: number, told: number, made: number}[]}} Verdict */

const UTF8 = new TextEncoder();
const WORDS = 8; // of 32 bits in a digest
const TRIES = 1000; // draws until an outcome fits; more than a handful never happens

export const canVerify = () => Boolean(globalThis.crypto?.subtle);

/** @param {string} hex */
export function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {ArrayBuffer} buffer */
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Fields one after another, each with its length in front as four bytes. @param {Uint8Array[]} fields */
function prefixed(fields) {
  const message = new Uint8Array(fields.reduce((sum, field) => sum + 4 + field.length, 0));
  const view = new DataView(message.buffer);
  let at = 0;
  for (const field of fields) {
    view.setUint32(at, field.length);
    message.set(field, at + 4);
    at += 4 + field.length;
  }
  return message;
}

/** What a roll must have been. @param {CryptoKey} key @param {Seal} seal @param {number} row @param {number} count @param {string} salt */
export async function outcome(key, seal, row, count, salt) {
  for (let draw = 0; draw < TRIES; draw++) {
    const message = prefixed([UTF8.encode(seal.match), UTF8.encode(String(row)), UTF8.encode(String(draw)), ...seal.seeds.map(bytes), bytes(salt)]);
    const digest = new DataView(await crypto.subtle.sign("HMAC", key, message));
    if (count < 0) return Number(digest.getBigUint64(0) >> 1n);
    const limit = Math.floor(2 ** 32 / count) * count;
    for (let word = 0; word < WORDS; word++) {
      const number = digest.getUint32(4 * word);
      if (number < limit) return number % count;
    }
  }
  return -1;
}

/** @param {string} secret */
export const keyOf = (secret) => crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/** Faces of ordinary dice that an outcome stands for, the first one counting most; null where it is no such roll.
 * @param {number} number @param {Roll} roll */
function faces(number, roll) {
  if (roll.count !== 6 ** roll.faces.length) return null;
  return roll.faces.map((_, n) => (Math.floor(number / 6 ** (roll.faces.length - 1 - n)) % 6) + 1).join();
}

/** @param {Seal} seal @param {{row: number, roll: Roll | null}[]} plies @returns {Promise<Verdict>} */
export async function verify(seal, plies) {
  const sealed = hex(await crypto.subtle.digest("SHA-256", bytes(seal.secret))) === seal.commitment;
  const key = await keyOf(seal.secret);
  /** @type {Verdict["wrong"]} */
  const wrong = [];
  let rolls = 0;
  for (const { row, roll } of plies) {
    if (!roll) continue;
    rolls++;
    const made = await outcome(key, seal, row, roll.count, roll.salt ?? "");
    const read = faces(made, roll);
    if (made !== roll.outcome || (read !== null && read !== roll.faces.join())) wrong.push({ row, told: roll.outcome, made });
  }
  return { ok: sealed && !wrong.length, rolls, sealed, wrong };
}

