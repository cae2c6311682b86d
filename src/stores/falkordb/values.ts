/**
 * Writes values so that the server reads, stores and finds exactly the same values: the parameters of a statement, ids,
 * and text of users. The client escapes texts, but no names and no keys of maps, and it writes a whole number with
 * floating point as an integer.
 */
import { createHash } from 'node:crypto';
import { isPlainObject, type Json, type Metadata } from '../../domain/json.js';
import { parseIso, toIso } from '../../domain/time.js';

/**
 * A number that the server must read as floating-point even if the number is whole. Without a decimal point, the server
 * would read an integer.
 */
export class Float {
  readonly value: number;

  constructor(value: number) {
    // The sum turns -0 into 0.
    this.value = comparable(value) + 0;
  }
}

export type Value = string | number | boolean | Float | readonly Value[] | { readonly [name: string]: Value };
export type Parameters = Readonly<Record<string, Value>>;

/** Names and keys of parameters. They are not escaped, so they must never come from users. */
const NAME = /^[A-Za-z_]\w{0,63}$/;
/**
 * Smallest positive number that the server accepts. The server refuses a whole statement if it contains a number closer
 * to zero.
 */
const LEAST_NORMAL = 2.2250738585072014e-308;
const ESCAPED = /["\\]/g;

/** Whether a text may be the name of a property. */
export function isPlainName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Returns the text that precedes a statement and defines its parameters.
 *
 * @throws when the server would not read exactly the given value. Such a value means a bug in Engraph, because user
 *   text must be encoded first
 */
export function preamble(parameters: Parameters): string {
  const entries = Object.entries(parameters);
  return entries.length === 0
    ? ''
    : `CYPHER ${entries.map(([name, value]) => `${safe(name)}=${written(value)} `).join('')}`;
}

function written(value: Value): string {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw new Error('A parameter of a statement is not encoded');
    return `"${value.replace(ESCAPED, '\\$&')}"`;
  }
  if (typeof value === 'number') return writtenNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Float) return writtenFloat(value.value);
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    throw new Error(`A parameter of a statement has the unsupported type ${typeof value}`);
  }
  return `{${Object.entries(value)
    .map(([name, each]) => `${safe(name)}:${written(each)}`)
    .join(',')}}`;
}

function safe(name: string): string {
  if (!NAME.test(name)) throw new Error('A parameter of a statement has an unsafe name');
  return name;
}

function writtenNumber(value: number): string {
  if (!Number.isFinite(value) || isSubnormal(value))
    throw new Error('A number in a parameter is not finite, or is too near zero');
  return Object.is(value, -0) ? '-0.0' : String(value);
}

function writtenFloat(value: number): string {
  const text = writtenNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/**
 * Makes a number safe for an index: a server that has loaded its data from a snapshot finds no 0 through an index, but
 * finds -0, which equals 0.
 */
export function indexed(value: number): number {
  return value === 0 ? -0 : value;
}

/** Makes a number safe for ordering and comparing: replaces a number that is too close to zero by zero. */
export function comparable(value: number): number {
  return isSubnormal(value) ? 0 : value;
}

function isSubnormal(value: number): boolean {
  return value !== 0 && Math.abs(value) < LEAST_NORMAL;
}

/** First character of a text that is stored as JSON, because it cannot be stored unchanged. */
const JSON_MARK = '\u0002';
/** Represents an absent text in Engraph's own properties. */
export const NONE = '';
/**
 * Ids that an index stores exactly. The index trims its entries, cuts them at some control characters, and limits their
 * length.
 */
const PLAIN_KEY = /^[\w.:@/-]{1,128}$/;

/**
 * Encodes text for one of Engraph's own properties: the text stays unchanged, unless a statement could not carry it.
 */
export function encodeText(text: string): string {
  const isPlain = text !== NONE && text.isWellFormed() && !text.includes('\0') && !text.startsWith(JSON_MARK);
  return isPlain ? text : JSON_MARK + JSON.stringify(text);
}

export function decodeText(text: string): string {
  return text.startsWith(JSON_MARK) ? (JSON.parse(text.slice(JSON_MARK.length)) as string) : text;
}

/**
 * Returns the indexed form of an id or a name: the text itself, or its digest if an index would confuse the text with
 * another text.
 */
export function keyOf(id: string): string {
  if (PLAIN_KEY.test(id)) return id;
  // A digest of the UTF-8 bytes would treat all lone surrogates as equal.
  return `#${createHash('sha1').update(Buffer.from(id, 'utf16le')).digest('hex')}`;
}

/** Returns the distinct keys of these ids. */
export function keysOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(keyOf))];
}

/** Returns the properties that identify a node: its key, and the exact id if the key is a digest. */
export function identityOf(id: string): { id: string; _exact_id?: string } {
  const key = keyOf(id);
  return key === id ? { id } : { id: key, _exact_id: encodeText(id) };
}

/** Returns an expression for the id of a node. The value must be decoded with `decodeText`. */
export function idIn(alias: string): string {
  return `coalesce(${alias}._exact_id, ${alias}.id)`;
}

export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

export function decodeVector(text: string): Float32Array {
  // The bytes are copied, because a buffer may start at an address that is not a multiple of four bytes.
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
}

const RANKED_LENGTH = 9;
/** The rank of a character is the number of these that are not greater: the digits, and what follows `9` and `f`. */
const RANK_STEPS = [...'0123456789:abcdefg'];
const RANK_BASE = RANK_STEPS.length + 1;
export const RANK_END = RANK_BASE ** RANKED_LENGTH;

/**
 * Maps the beginning of an id to a number that sorts like the id. Range conditions use the number, because the server's
 * text ranges are not reliable. The number distinguishes hexadecimal digits, of which most ids consist. It ignores all
 * characters after the first one that is not a hexadecimal digit.
 */
export function idRank(id: string): number {
  const [ranked = ''] = /^[0-9a-f]{0,8}./.exec(keyOf(id)) ?? [];
  let rank = 0;
  for (let position = 0; position < RANKED_LENGTH; position++) {
    const character = ranked[position] ?? '';
    rank = rank * RANK_BASE + RANK_STEPS.filter(step => step <= character).length;
  }
  return indexed(rank);
}

/** Number of significant digits in the numbers that the server returns. */
const DIGITS = 15;
const NUL_SHOWN = '\u2400';

type Scalar = string | number | boolean;

/** Properties that are always floating-point, even if their value is whole. */
const SHARES = new Set(['confidence', 'strength', 'score', 'similarity']);

/** Returns the stored value of a property of a node or an edge; undefined if the property is absent. */
export function propertyForm(name: string, value: Json | undefined): Value | undefined {
  return typeof value === 'number' && SHARES.has(name) ? new Float(value) : publicForm(value);
}

/** Returns the stored form of a value. The form does not depend on the property. Undefined if the value is absent. */
function publicForm(value: Json | undefined): Value | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value) && value.every(isScalar)) return value.map(publicScalar);
  return isScalar(value) ? publicScalar(value) : JSON.stringify(value);
}

function publicScalar(value: Scalar): Value {
  if (typeof value === 'string') return publicText(value);
  if (typeof value === 'boolean') return value;
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : new Float(value);
}

export function publicText(text: string): string {
  return text.toWellFormed().replaceAll('\0', NUL_SHOWN);
}

/** Predicts the value that the server returns for a property. */
function readBack(value: Json | undefined): Json | undefined {
  const form = publicForm(value);
  const read = (each: Value): Json => {
    if (each instanceof Float) return Number(each.value.toPrecision(DIGITS));
    return each as Scalar;
  };
  return Array.isArray(form) ? (form as Value[]).map(read) : form === undefined ? undefined : read(form as Value);
}

/**
 * Returns the values as JSON if the server would return any value changed; otherwise returns undefined, which is the
 * usual case.
 */
export function exactFormOf(values: Readonly<Record<string, Json | undefined>>): string | undefined {
  const isKept = Object.values(values).every(value => value === undefined || isSame(readBack(value), value));
  return isKept ? undefined : JSON.stringify(values);
}

/**
 * Restores exact values. If a public value was changed after the exact value was written, the public value wins.
 *
 * @param exact as returned by `readExact`
 * @param isPublic whether a value with this name is also stored as a property of its own
 */
export function restored(
  read: Readonly<Record<string, Json | undefined>>,
  exact: Readonly<Record<string, Json>> | undefined,
  isPublic: (name: string) => boolean = () => true,
): Readonly<Record<string, Json | undefined>> {
  if (!exact) return read;
  const isExact = (name: string) => !isPublic(name) || isSame(readBack(exact[name]), read[name]);
  const entries = [
    ...Object.keys(exact).map((name): [string, Json | undefined] => [name, isExact(name) ? exact[name] : read[name]]),
    ...Object.entries(read).filter(([name]) => !Object.hasOwn(exact, name)),
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Converts a time that any program may have written; undefined if it is not a valid time. */
export function readInstant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (CANONICAL.test(value) && !Number.isNaN(Date.parse(value))) return value;
  const ms = parseIso(value);
  return ms === undefined ? undefined : toIso(ms);
}

/**
 * Reads the object in a property `_exact`; undefined if the property is absent, or another program has overwritten it
 * with anything but an object.
 */
export function readExact(text: unknown): Metadata | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? (value as Metadata) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two values have the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isScalar(value: Json): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
