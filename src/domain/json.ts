/** JSON values. */
import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A free-form JSON object. */
export type Metadata = { [key: string]: Json };

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Leaves out keys with the value undefined, like `JSON.stringify`. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members).filter(key => members[key] !== undefined);
  return `{${keys
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(members[key])}`)
    .join(',')}}`;
}

/** A number that may be changed, as its caller wrote it. */
interface Written {
  source: string;
  isChanged: boolean;
}

/** By the list or object that contains the numbers, and by their keys. Most JSON contains no such number. */
const WRITTEN = new WeakMap<object, Map<string, Written>>();

/** A number with this many digits and without an exponent is never changed. */
const CERTAIN_DIGITS = 15;
/** Every number that may be changed has more digits, or an exponent. */
const MAY_BE_CHANGED = /[\d.]{16}|\d[eE][+-]?\d/;
const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const IN_OTHER_FORM = /[.eE]/;

/**
 * Returns the same value as `JSON.parse`, and notes the numbers that may be changed, so that `changedNumber` knows how
 * they were written.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactly(text: string): unknown {
  return parse(text, ({ source, isChanged, container, key }) => {
    const written = WRITTEN.get(container) ?? new Map<string, Written>();
    written.set(key, { source, isChanged });
    WRITTEN.set(container, written);
    return Number(source);
  });
}

/**
 * Returns the same value as `JSON.parse`, except that numbers which JavaScript changes become texts.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseQuoting(text: string): unknown {
  return parse(text, ({ source, isChanged }) => (isChanged ? source : Number(source)));
}

type Placed = Written & { container: object; key: string };

function parse(text: string, place: (number: Placed) => unknown): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_CHANGED.test(text)) return value;
  const found = findUnsafe(text);
  if (found.length === 0) return value;
  // Marks the place of a number. No text can contain its own digest.
  const mark = createHash('sha256').update(text).digest('hex');
  try {
    return JSON.parse(withMarks(text, found, mark), function (this: object, key: string, child: unknown): unknown {
      if (typeof child !== 'string' || !child.startsWith(mark)) return child;
      const isChanged = child.charAt(mark.length) === CHANGED;
      return place({ source: child.slice(mark.length + 1), isChanged, container: this, key });
    });
  } catch (error) {
    // Such deep nesting exceeds every limit. Without notes, the numbers are judged by their values.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/**
 * Returns how a number was written if JavaScript has changed it, and otherwise undefined. If it is not known how the
 * number was written, an infinite number counts as changed, and so does an integer that may have been changed, unless
 * `isTrusted`.
 *
 * @param container the list or object that contains the number
 */
export function changedNumber(
  container: object,
  key: string,
  { value, isTrusted = false }: { value: number; isTrusted?: boolean },
): string | undefined {
  const written = WRITTEN.get(container)?.get(key);
  if (written) return written.isChanged ? written.source : undefined;
  const isCertain = Number.isSafeInteger(value) || (Number.isFinite(value) && (isTrusted || !Number.isInteger(value)));
  return isCertain ? undefined : String(value);
}

/** Whether JavaScript keeps a decimal number as it is written, apart from its form. */
export function isKept(source: string): boolean {
  const read = String(Number(source));
  if (read === source) return true;
  // Two different texts of digits with the same length are different numbers.
  if (read.length === source.length && !IN_OTHER_FORM.test(read) && !IN_OTHER_FORM.test(source)) return false;
  return JSON_NUMBER.test(read) && plainForm(read) === plainForm(source);
}

const CHANGED = '!';
const KEPT = '=';

/** A number with the positions of its start and its end. */
interface Found extends Written {
  start: number;
  end: number;
}

function withMarks(text: string, found: readonly Found[], mark: string): string {
  const parts: string[] = [];
  let copiedTo = 0;
  for (const { start, end, source, isChanged } of found) {
    parts.push(text.slice(copiedTo, start), '"', mark, isChanged ? CHANGED : KEPT, source, '"');
    copiedTo = end;
  }
  return parts.join('') + text.slice(copiedTo);
}

/** No metadata within the limits contains as many. Further numbers are judged by their values. */
const FOUND_MAX = 50_000;

/** Finds the numbers that are changed, and the integers that are not safe. */
function findUnsafe(text: string): Found[] {
  const found: Found[] = [];
  for (const [start, end] of numbersIn(text)) {
    const source = text.slice(start, end);
    const value = Number(source);
    const isChanged = !isKept(source);
    const isSafe = !Number.isInteger(value) || Number.isSafeInteger(value);
    if (isChanged || !isSafe) found.push({ start, end, source, isChanged });
    if (found.length === FOUND_MAX) break;
  }
  return found;
}

/** Start and end of each number that is long enough to be changed. The text must be valid JSON. */
function* numbersIn(text: string): Generator<[start: number, end: number]> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === MINUS || isDigit(code)) {
      const start = at;
      let hasExponent = false;
      for (let next = text.charCodeAt(at + 1); continuesNumber(next); next = text.charCodeAt(at + 1)) {
        hasExponent ||= next === CAPITAL_E || next === SMALL_E;
        at += 1;
      }
      if (hasExponent || at - start >= CERTAIN_DIGITS) yield [start, at + 1];
    }
  }
}

const [QUOTE, MINUS, PLUS, POINT, BACKSLASH] = [0x22, 0x2d, 0x2b, 0x2e, 0x5c];
const [ZERO, NINE, CAPITAL_E, SMALL_E] = [0x30, 0x39, 0x45, 0x65];

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function continuesNumber(code: number): boolean {
  const isSign = code === MINUS || code === PLUS || code === POINT;
  return isDigit(code) || isSign || code === CAPITAL_E || code === SMALL_E;
}

/** Returns the position of the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** Sign, digits without zeros at the ends, and power of ten. Two numbers are equal if these are equal. */
function plainForm(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (start < end && all.charAt(start) === '0') start += 1;
  while (end > start && all.charAt(end - 1) === '0') end -= 1;
  if (start === end) return '0';
  const power = Number(exponent) - fraction.length + (all.length - end);
  return `${mantissa.startsWith('-') ? '-' : ''}${all.slice(start, end)}e${power}`;
}
