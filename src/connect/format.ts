/** The interface of a file format. Files are edited as text, so that all text outside of our entry stays unchanged. */
import { isDeepStrictEqual } from 'node:util';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A value that `connect` writes into a file. */
export interface Piece {
  /** Keys from the root of the file to the value. */
  path: readonly string[];
  value: JsonObject;
}

/**
 * Parses and edits texts without a byte order mark. Every function throws `ConnectError` if it cannot process the text.
 */
export interface FileFormat {
  /** Parses the whole file. An empty file is an empty object. */
  parse(text: string): unknown;
  /** Inserts the value, or replaces the value at its path. */
  set(text: string, piece: Piece): string;
  /**
   * Removes the value, and each container that is then empty and did not exist in `before`. If `before` has a value at
   * this path, that value is restored instead.
   *
   * @param before the text before the value was inserted
   */
  takeOut(text: string, path: readonly string[], before: string): string;
}

/** The value at a path, or undefined. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy with the value at the path. Undefined deletes the value. */
export function withValueAt(root: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const { [key]: child, ...others } = isJsonObject(root) ? root : {};
  const changed = rest.length > 0 ? withValueAt(child, rest, value) : value;
  return changed === undefined ? others : { ...others, [key]: changed };
}

/** Whether two values are equal, regardless of the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  if (!isPlain(one) || !isPlain(other)) return isDeepStrictEqual(one, other);
  return Object.keys(one).length === Object.keys(other).length && includesAll(one, other);
}

/** Whether an object has all properties of a second object, with equal values. */
export function includesAll(object: unknown, part: object): boolean {
  return (
    isJsonObject(object) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(object, key) && isSame(object[key], value))
  );
}

/** Whether a value is an object with keys. A TOML date is an object without keys of its own. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && !(value instanceof Date);
}

export function endOfLine(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** The reason why a file was left unchanged, in one sentence for the user. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** The value at the path of one of our entries is not listed, or somebody has changed it since. */
export class ForeignEntry extends ConnectError {
  constructor(path: readonly string[]) {
    const key = path.join('.');
    super(`It has a '${key}' that is not in the list of what 'engraph connect' wrote, or that was changed since`);
  }
}

/** Line and column of an offset. Both numbers start at 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
