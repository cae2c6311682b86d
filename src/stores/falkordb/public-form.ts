/**
 * Values as everybody can read them in the graph, and the exact ones beside them in the rare case where these differ: a text
 * that no statement can carry, a number of more digits than the server gives back, something nested.
 */
import { isPlainObject, type Json, type Metadata } from '../../domain/json.js';
import { parseIso, toIso } from '../../domain/time.js';
import { Float, type Value } from './parameters.js';

/** Digits of a number that the server gives back. */
const DIGITS = 15;
const NUL_SHOWN = '\u2400';

type Scalar = string | number | boolean;

/** Properties that are floating-point numbers, also where they are whole. */
const SHARES = new Set(['confidence', 'strength', 'score', 'similarity']);

/** What a property of a node or an edge holds; undefined where there is none. */
export function propertyForm(name: string, value: Json | undefined): Value | undefined {
  return typeof value === 'number' && SHARES.has(name) ? new Float(value) : publicForm(value);
}

/** What a property holds; undefined where there is none. */
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

/** What the server gives back of a property. */
function readBack(value: Json | undefined): Json | undefined {
  const form = publicForm(value);
  const read = (each: Value): Json => {
    if (each instanceof Float) return Number(each.value.toPrecision(DIGITS));
    return each as Scalar;
  };
  return Array.isArray(form) ? (form as Value[]).map(read) : form === undefined ? undefined : read(form as Value);
}

/** The values as JSON when some would not come back as they are; undefined mostly. */
export function exactBeside(values: Readonly<Record<string, Json | undefined>>): string | undefined {
  const isKept = Object.values(values).every(value => value === undefined || isSame(readBack(value), value));
  return isKept ? undefined : JSON.stringify(values);
}

/**
 * Puts the exact values back in place of those that still say the same: a public value that somebody has changed wins.
 *
 * @param exact as `readExact` gives it
 * @param isPublic whether a value of this name is a property of its own
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

/** A time that anybody may have written, in our form; undefined where it is none. */
export function readInstant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (CANONICAL.test(value) && !Number.isNaN(Date.parse(value))) return value;
  const ms = parseIso(value);
  return ms === undefined ? undefined : toIso(ms);
}

/** The object in a property `_exact`; undefined where there is none, or somebody has written something else into it. */
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
