/**
 * Writes property values that other programs can read. A value that cannot be stored exactly has its exact form stored
 * beside it. Such values are rare: a text that no statement can carry, a number with more digits than the server
 * returns, or a nested value.
 */
import { isPlainObject, type Json, type Metadata } from '../../domain/json.js';
import { parseIso, toIso } from '../../domain/time.js';
import { Float, type Value } from './values.js';

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
export function publicForm(value: Json | undefined): Value | undefined {
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

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isScalar(value: Json): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
