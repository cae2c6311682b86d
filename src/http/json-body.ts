/**
 * Parses JSON without delaying other requests: checks the nesting before it builds anything, parses a long list a few
 * items at a time, and yields to the event loop in between.
 */

import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryError } from '../domain/errors.js';
import { parseExactly } from '../domain/exact-numbers.js';

export const NESTING_MAX = 64;
/** Maximum number of lists and objects in one body. More would keep the garbage collector busy for long. */
const CONTAINERS_MAX = 1_000_000;
/** Number of bytes scanned or parsed in one step. A step takes a few milliseconds. */
const BYTES_SCANNED_AT_ONCE = 1_048_576;
const BYTES_PARSED_AT_ONCE = 131_072;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Matches the beginning of a list that is parsed item by item. It must fit in `LIST_MEMBER_MAX_LENGTH`, so it may
 * contain only a few blanks.
 */
const LIST_MEMBER = /^[ \t\n\r]*"(memories|associations|records)"[ \t\n\r]*:[ \t\n\r]*\[/;
const LIST_MEMBER_MAX_LENGTH = 100;

export interface JsonLimits {
  /** Maximum size in bytes of one list item, and maximum total size of the parts of a body outside its lists. */
  itemMaxBytes: number;
  /**
   * Maximum number of list items. One more item is read, so that the parser of the request can refuse the length of the
   * list.
   */
  listMaxItems: number;
  /** Maximum number of values in all lists and objects together. If undefined, only lists and objects are counted. */
  valuesMax?: number;
}

/**
 * Returns the same value as `JSON.parse`, except for lists that are too long. Numbers that JavaScript changes are noted.
 *
 * @throws MemoryError `invalid` for invalid JSON or nesting that is too deep, `too_large` for an item that is too large
 * or for too many values
 */
export async function parseJson(bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  const steps = parseInSteps(bytes, limits);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

/** Work in steps. The caller may yield to the event loop at every `yield`. */
type Steps<Result> = Generator<undefined, Result>;

function* parseInSteps(bytes: Uint8Array, limits: JsonLimits): Steps<unknown> {
  // Invalid UTF-8 would otherwise be stored permanently as replacement characters.
  if (!isUtf8(bytes)) throw notJson();
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(hasMark ? 3 : 0);
  yield* scan(text, { valuesMax: limits.valuesMax });
  if (text.length <= BYTES_PARSED_AT_ONCE) return parse(text.toString());
  const whole = withoutBlanks(text);
  const inner = whole.subarray(1, -1);
  const [first, last] = [whole[0], whole.at(-1)];
  if (first === OPENING_BRACKET && last === CLOSING_BRACKET) return yield* parseItems(inner, limits);
  if (first === OPENING_BRACE && last === CLOSING_BRACE) return yield* parseMembers(inner, limits);
  assertSize(whole.length, limits.itemMaxBytes);
  return parse(whole.toString());
}

interface ScanOptions {
  /** Called with the position of each comma outside all brackets. */
  onComma?: (at: number) => void;
  valuesMax?: number | undefined;
}

/** Checks the brackets and strings of a text and counts its values, without parsing it. */
function* scan(text: Buffer, { onComma, valuesMax = Infinity }: ScanOptions): Steps<void> {
  let depth = 0;
  let containers = 0;
  let commas = 0;
  let isInString = false;
  let pauseAt = BYTES_SCANNED_AT_ONCE;
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + BYTES_SCANNED_AT_ONCE;
      yield;
    }
    const byte = text[at];
    if (isInString) {
      if (byte === QUOTE) isInString = false;
      else if (byte === BACKSLASH) at += 1;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      depth += 1;
      containers += 1;
      if (depth > NESTING_MAX) throw tooDeep();
      if (containers > CONTAINERS_MAX) throw tooMany();
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
      depth -= 1;
      if (depth < 0) throw notJson();
    } else if (byte === COMMA) {
      commas += 1;
      if (commas + containers > valuesMax) throw tooManyValues(valuesMax);
      if (depth === 0) onComma?.(at);
    }
  }
  if (isInString || depth !== 0) throw notJson();
}

function* parseItems(text: Buffer, { itemMaxBytes, listMaxItems }: JsonLimits): Steps<unknown[]> {
  const items: unknown[] = [];
  for (const part of yield* split(text)) {
    if (part.isOne) assertSize(part.text.length, itemMaxBytes);
    const parsed = parse(`[${part.text}]`) as unknown[];
    assertNotBlank(part, parsed.length);
    for (const item of parsed) items.push(item);
    if (items.length > listMaxItems) return items.slice(0, listMaxItems + 1);
    yield;
  }
  return items;
}

function* parseMembers(text: Buffer, limits: JsonLimits): Steps<object> {
  const object = {};
  let bytesOutsideLists = 0;
  for (const part of yield* split(text)) {
    const list = part.isOne ? listOf(part.text) : undefined;
    if (list) {
      define(object, list.name, yield* parseItems(list.items, limits));
      continue;
    }
    bytesOutsideLists += part.text.length;
    assertSize(bytesOutsideLists, limits.itemMaxBytes);
    const parsed = Object.entries(parse(`{${part.text}}`) as object);
    assertNotBlank(part, parsed.length);
    for (const [name, value] of parsed) define(object, name, value);
    yield;
  }
  return object;
}

/** Defines a property, because an assignment would treat `__proto__` specially. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

function listOf(member: Buffer): { name: string; items: Buffer } | undefined {
  const text = withoutBlanks(member);
  const [head, name] = LIST_MEMBER.exec(text.toString('latin1', 0, LIST_MEMBER_MAX_LENGTH)) ?? [];
  if (head === undefined || name === undefined || text.at(-1) !== CLOSING_BRACKET) return undefined;
  return { name, items: text.subarray(head.length, -1) };
}

/** A run of list items or of object members, without the surrounding commas. */
interface Part {
  text: Buffer;
  /** Whether the part is a single item. */
  isOne: boolean;
  /** Whether this is the only part inside the brackets. Only such a part may be blank. */
  isOnly: boolean;
}

/** Splits the text inside brackets into large items and runs of small items. */
function* split(text: Buffer): Steps<Part[]> {
  const parts: Part[] = [];
  let start = 0;
  let itemStart = 0;
  const add = (end: number) => {
    parts.push({ text: text.subarray(start, end), isOne: start === itemStart, isOnly: false });
  };
  const endItem = (at: number) => {
    const isLarge = at - itemStart > BYTES_PARSED_AT_ONCE;
    if (isLarge && start < itemStart) {
      add(itemStart - 1);
      start = itemStart;
    }
    if (isLarge || at - start > BYTES_PARSED_AT_ONCE || at === text.length) {
      add(at);
      start = at + 1;
    }
    itemStart = at + 1;
  };
  yield* scan(text, { onComma: endItem });
  endItem(text.length);
  return parts.length === 1 ? parts.map(part => ({ ...part, isOnly: true })) : parts;
}

function assertNotBlank({ isOnly }: Part, itemCount: number): void {
  if (itemCount === 0 && !isOnly) throw notJson();
}

function assertSize(bytes: number, itemMaxBytes: number): void {
  if (bytes <= itemMaxBytes) return;
  throw new MemoryError('too_large', `An item of the body must not be larger than ${itemMaxBytes} bytes, but one is`);
}

function withoutBlanks(text: Buffer): Buffer {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.subarray(start, end);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function parse(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw notJson(error);
  }
}

function notJson(cause?: unknown): MemoryError {
  return new MemoryError('invalid', 'The body is not valid JSON', { cause });
}

function tooMany(): MemoryError {
  return new MemoryError('too_large', `The body must not contain more than ${CONTAINERS_MAX} lists and objects`);
}

function tooManyValues(max: number): MemoryError {
  return new MemoryError('too_large', `The body must not contain more than ${max} values`);
}

function tooDeep(): MemoryError {
  return new MemoryError('invalid', `The body must not nest deeper than ${NESTING_MAX} levels`);
}
