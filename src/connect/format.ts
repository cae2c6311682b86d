/** How one format of configuration files is read and edited: as text, so that all that is not ours stays as it is. */
import { isDeepStrictEqual } from 'node:util';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** One value of ours in a file. */
export interface Piece {
  /** Keys from the top of the file to the value. */
  path: readonly string[];
  value: JsonObject;
}

/** Texts are without a byte order mark. Every function throws `ConnectError` where a text cannot be read or edited. */
export interface Format {
  /** The whole file as a value; an empty file is an empty object. */
  parse(text: string): unknown;
  /** Puts the value in its place, whether there is one already or not. */
  set(text: string, piece: Piece): string;
  /**
   * Takes the value out, with the containers that then hold nothing and were not there before. What stood in its place
   * before, if anything, is put back.
   *
   * @param before the text as it was before the value was put in
   */
  takeOut(text: string, path: readonly string[], before: string): string;
}

/** The value at a path, or undefined where there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which the path leads to the value; without a value there is nothing at its end. */
export function withValueAt(root: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const { [key]: child, ...others } = isObject(root) ? root : {};
  const changed = rest.length > 0 ? withValueAt(child, rest, value) : value;
  return changed === undefined ? others : { ...others, [key]: changed };
}

/** Whether two values of a file say the same, whatever the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  if (!isPlain(one) || !isPlain(other)) return isDeepStrictEqual(one, other);
  return Object.keys(one).length === Object.keys(other).length && includesAll(one, other);
}

/** Whether an object has everything that another one has. */
export function includesAll(object: unknown, part: object): boolean {
  return (
    isObject(object) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(object, key) && isSame(object[key], value))
  );
}

/** Dates of TOML are objects too, but hold no keys. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof Date);
}

export function endOfLine(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}
