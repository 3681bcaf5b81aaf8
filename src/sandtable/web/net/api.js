// @ts-check
/** Questions to the server over HTTP. What it refuses comes back as a `Refused`: code, clause, sentence. */

export class Refused extends Error {
  /** @param {number} status 0: nobody answered @param {{code?: string, clause?: string, say?: string}} told */
  constructor(status, told) {
    super(told.say ?? "");
    this.status = status;
    this.code = told.code ?? "";
    this.clause = told.clause ?? "";
  }
}

/** @param {string} path @param {RequestInit} how */
async function ask(path, how) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...how });
  } catch {
    throw new Refused(0, { code: "offline" });
  }
  const is_json = (answer.headers.get("content-type") ?? "").includes("json");
  const body = is_json ? await answer.json().catch(() => ({})) : await answer.text();
  if (!answer.ok) throw new Refused(answer.status, is_json ? body : { code: "internal" });
  return body;
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => ask(path, {});

/** The header is what a form of another page cannot send.
 * @param {string} path @param {any} [body] @returns {Promise<any>} */
export function post(path, body = {}) {
  const headers = { "content-type": "application/json", "x-sandtable": "1" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** A path of the interface, each part made safe. @param {(string | number)[]} parts */
export const path = (...parts) => `/api/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
