/** Writes the parameters of a statement so that the server reads exactly the same values. */

/**
 * A number that the server must read as floating-point even if the number is whole. Without a decimal point, the server
 * would read an integer.
 */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = comparable(value);
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
  return String(value);
}

function writtenFloat(value: number): string {
  const text = writtenNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Makes a number safe for ordering and comparing: replaces a number that is too close to zero by zero. */
export function comparable(value: number): number {
  return isSubnormal(value) ? 0 : value;
}

function isSubnormal(value: number): boolean {
  return value !== 0 && Math.abs(value) < LEAST_NORMAL;
}
