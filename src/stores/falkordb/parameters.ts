/** Values on their way into a statement, written so that the server reads them as they are. */

/** A number that stays a floating-point number where it is whole: 1 would be read as an integer. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = comparable(value);
  }
}

export type Value = string | number | boolean | Float | readonly Value[] | { readonly [name: string]: Value };
export type Parameters = Readonly<Record<string, Value>>;

/** Names and keys are not escaped, and so must be ours. */
const NAME = /^[A-Za-z_]\w{0,63}$/;
/** Closer to zero, the server refuses the number and the whole statement. */
const LEAST_NORMAL = 2.2250738585072014e-308;
const ESCAPED = /["\\]/g;

/** Whether a property may be called so. */
export function isPlainName(name: string): boolean {
  return NAME.test(name);
}

/**
 * What stands before a statement to give it its parameters.
 *
 * @throws when the server would not read a value as it is: that is a fault of ours, since text of users has been encoded by
 *   then
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
    throw new Error(`A parameter of a statement is of type ${typeof value}`);
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
  if (!Number.isFinite(value) || isSubnormal(value)) throw new Error('A parameter of a statement is no plain number');
  return String(value);
}

function writtenFloat(value: number): string {
  const text = writtenNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** A number for ordering and comparing: what is as good as zero is zero. */
export function comparable(value: number): number {
  return isSubnormal(value) ? 0 : value;
}

function isSubnormal(value: number): boolean {
  return value !== 0 && Math.abs(value) < LEAST_NORMAL;
}
