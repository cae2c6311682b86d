/** JSON values, and the numbers in JSON that JavaScript changes. */
import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A free-form JSON object. */
export type Metadata = { [key: string]: Json };

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Writes a value as JSON with sorted object keys, so that equal values have equal text. Leaves out keys with the value
 * undefined, like `JSON.stringify`.
 */
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

/**
 * How the numbers that JavaScript may have changed were written, by the list or object that contains them and by key.
 * It reads 1234567890123456789 as ...800, and 1e400 as infinity.
 */
const WRITTEN = new WeakMap<object, Map<string, string>>();

/**
 * Returns the same value as `JSON.parse`, and notes the numbers that may be changed, so that `changedNumber` knows how
 * they were written.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactly(text: string): unknown {
  return parse(text, (source, container, key) => {
    const written = WRITTEN.get(container) ?? new Map<string, string>();
    WRITTEN.set(container, written.set(key, source));
    return Number(source);
  });
}

/**
 * Returns the same value as `JSON.parse`, except that numbers which JavaScript changes become texts.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseQuoting(text: string): unknown {
  return parse(text, source => (isKept(source) ? Number(source) : source));
}

/** A number without an exponent that may be changed has more than 15 digits. */
const MAY_BE_CHANGED = /[\d.]{16}|\d[eE][+-]?\d/;

function parse(text: string, read: (source: string, container: object, key: string) => unknown): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_CHANGED.test(text)) return value;
  // Marks the place of a number. No text can contain its own digest.
  const mark = createHash('sha256').update(text).digest('hex');
  const marked = withMarks(text, mark);
  if (marked === undefined) return value;
  try {
    return JSON.parse(marked, function (this: object, key: string, child: unknown): unknown {
      return typeof child === 'string' && child.startsWith(mark) ? read(child.slice(mark.length), this, key) : child;
    });
  } catch (error) {
    // Such deep nesting exceeds every limit. Without notes, the numbers are judged by their values.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/** No metadata within the limits contains as many numbers that may be changed. The others are judged by their values. */
const MARKED_MAX = 50_000;

/** Returns the JSON with a marked text for each number that is changed, or is an unsafe integer. Undefined without any. */
function withMarks(text: string, mark: string): string | undefined {
  const parts: string[] = [];
  let copiedTo = 0;
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let found = token.exec(text); found && parts.length < 2 * MARKED_MAX; found = token.exec(text)) {
    const [source] = found;
    if (source === '"') token.lastIndex = endOfString(text, found.index) + 1;
    else if (MAY_BE_CHANGED.test(source) && (isUnsafeInteger(Number(source)) || !isKept(source))) {
      parts.push(text.slice(copiedTo, found.index), `"${mark}${source}"`);
      copiedTo = token.lastIndex;
    }
  }
  return copiedTo === 0 ? undefined : parts.join('') + text.slice(copiedTo);
}

/** Returns the position of the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isUnsafeInteger(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
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
  const source = WRITTEN.get(container)?.get(key);
  if (source !== undefined) return isKept(source) ? undefined : source;
  return Number.isFinite(value) && (isTrusted || !isUnsafeInteger(value)) ? undefined : String(value);
}

const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether JavaScript keeps a decimal number as it is written, apart from its form: 1.0 and 1e2 are kept. */
export function isKept(source: string): boolean {
  const read = String(Number(source));
  return read === source || (JSON_NUMBER.test(read) && plainForm(read) === plainForm(source));
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
