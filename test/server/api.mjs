/** The routes of the server as plain requests, for what its own client does not send. */
import { ROUTES } from '@pilotlight/protocol';

/**
 * @typedef {{ status: number, text: string, json: any, headers: Headers }} Answer `json` is undefined where the text is none.
 */

/**
 * `POST /ingest`.
 *
 * @param {string} url Of the server.
 * @param {Record<string, string | number>} query
 * @param {BodyInit} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Answer>}
 */
export function ingest(url, query, body, headers = {}) {
  return request(`${url}${ROUTES.ingest}?${new URLSearchParams(query)}`, { method: 'POST', body, headers });
}

/**
 * A method of the querier, asked in JSON.
 *
 * @param {string} url
 * @param {string} method
 * @param {object} message
 * @returns {Promise<Answer>}
 */
export function query(url, method, message) {
  return request(`${url}${ROUTES.querier}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
}

/** @returns {Promise<Answer>} */
export async function request(url, init = {}) {
  const response = await fetch(url, { ...init, ...(init.body instanceof ReadableStream ? { duplex: 'half' } : {}) });
  const text = await response.text();
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every route answers JSON.
  }
  return { status: response.status, text, json, headers: response.headers };
}

/**
 * SelectMergeProfile over protobuf: its answer is a pprof.
 *
 * @param {string} url
 * @param {{ profileTypeID: string, labelSelector: string, start: number, end: number }} selection Milliseconds.
 * @returns {Promise<Uint8Array>}
 */
export async function selectMergeProfile(url, { profileTypeID, labelSelector, start, end }) {
  const body = Buffer.concat([
    textField(1, profileTypeID),
    textField(2, labelSelector),
    field(3, start),
    field(4, end),
  ]);
  const response = await fetch(`${url}${ROUTES.querier}/SelectMergeProfile`, {
    method: 'POST',
    headers: { 'content-type': 'application/proto' },
    body,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * A PushRequest over protobuf of one profile.
 *
 * @param {Record<string, string>} labels
 * @param {Uint8Array} profile pprof
 * @returns {Buffer}
 */
export function pushRequest(labels, profile) {
  const pairs = Object.entries(labels).map(([name, value]) =>
    bytesField(1, Buffer.concat([textField(1, name), textField(2, value)])),
  );
  return bytesField(1, Buffer.concat([...pairs, bytesField(2, bytesField(1, profile))]));
}

function textField(number, text) {
  return bytesField(number, Buffer.from(text));
}

function bytesField(number, bytes) {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function field(number, value) {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(Math.floor(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
