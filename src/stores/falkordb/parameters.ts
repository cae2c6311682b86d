/** Values on their way into a statement. The client escapes quotes and backslashes in strings, and nothing else. */

export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };
export type Parameters = Readonly<Record<string, Value>>;

const NAME = /^[a-z]\w{0,63}$/;
/** Closer to zero, the server refuses the number and the whole statement. */
const LEAST_NORMAL = 2.2250738585072014e-308;

/**
 * The same values, or an error when the server would not read them as they are: that is a fault of ours, since text of
 * users has been encoded by then. Names and keys are not escaped by the client and must be ours.
 */
export function checked(parameters: Parameters): Parameters {
  for (const [name, value] of Object.entries(parameters)) {
    if (!NAME.test(name)) throw new Error('A parameter of a statement has an unsafe name');
    check(value);
  }
  return parameters;
}

function check(value: Value): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw new Error('A parameter of a statement is not encoded');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || isSubnormal(value)) throw new Error('A parameter of a statement is no plain number');
  } else if (Array.isArray(value)) {
    for (const element of value) check(element);
  } else if (typeof value === 'object' && value !== null) {
    checked(value as Parameters);
  } else if (typeof value !== 'boolean') {
    throw new Error(`A parameter of a statement is of type ${typeof value}`);
  }
}

/** A number for ordering and comparing: what is as good as zero is zero. */
export function comparable(value: number): number {
  return isSubnormal(value) ? 0 : value;
}

function isSubnormal(value: number): boolean {
  return value !== 0 && Math.abs(value) < LEAST_NORMAL;
}
