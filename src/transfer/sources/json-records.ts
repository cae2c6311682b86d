/** Reads the records of a JSON file: one in each line, the items of a list, or the items of lists in an object. */

import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { MemoryError } from '../../domain/errors.js';
import { isPlainObject } from '../../domain/json.js';
import { chunksOf, headOf, readBounded, readLines } from '../files.js';
import { type Fields, parseJson, wrongShape } from './source.js';

export type JsonRecord = (Omit<JsonPart, 'text'> & { fields: Fields }) | UnreadPart;

/**
 * Yields the records. One record at a time is in memory. An object with none of the `lists` is itself the only record.
 *
 * @throws MemoryError `invalid` for a file that is not JSON
 */
export async function* jsonRecords(path: string, lists: readonly string[]): AsyncGenerator<JsonRecord> {
  for await (const part of partsOf(path, lists)) yield 'problem' in part ? part : recordOf(part);
}

async function* partsOf(path: string, lists: readonly string[]): AsyncGenerator<JsonPart | UnreadPart> {
  const head = await headOf(path);
  const outline = outlineOf(head);
  if (!outline) throw wrongShape(path, 'a file of JSON');
  const { shape, keys } = outline;
  if (shape === 'list' || lists.some(list => keys.has(list))) {
    yield* jsonParts(chunksOf(path), basename(path), lists);
  } else if (shape === 'lines' || !head.trim().includes('\n')) yield* linesOf(path);
  else {
    const { bytes } = await readBounded(path);
    yield { place: 'line 1', list: undefined, text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  }
}

async function* linesOf(path: string): AsyncGenerator<JsonPart | UnreadPart> {
  for await (const lines of readLines(path)) {
    for (const { number, text, problem } of lines) {
      const place = `line ${number}`;
      if (problem !== undefined) yield { place, list: undefined, problem };
      else if (text.trim() !== '') yield { place, list: undefined, text };
    }
  }
}

function recordOf({ text, ...where }: JsonPart): JsonRecord {
  let value: unknown;
  try {
    value = parseJson(text, where.place);
  } catch {
    return { ...where, problem: 'is not valid JSON' };
  }
  return isPlainObject(value) ? { ...where, fields: value } : { ...where, problem: 'is not an object' };
}

export interface JsonOutline {
  /** `lines`: one value in each line. */
  shape: 'lines' | 'list' | 'object';
  /** Names of the fields of the outermost object. Empty for the other shapes. */
  keys: ReadonlySet<string>;
  /** Names of the fields of the records: of the objects in the list, in the lines, or in the lists of the object. */
  itemKeys: ReadonlySet<string>;
}

/** @returns undefined for text that is not JSON */
export function outlineOf(head: string): JsonOutline | undefined {
  const text = head.replace(/^(?:\uFEFF|ï»¿)/, '').trimStart();
  if (text.startsWith('[')) return { shape: 'list', keys: new Set(), itemKeys: keysAt(text, ['[{']) };
  if (isLines(text)) return linesOutline(text);
  if (!text.startsWith('{')) return undefined;
  return { shape: 'object', keys: keysAt(text, ['{']), itemKeys: keysAt(text, ['{[{']) };
}

function linesOutline(text: string): JsonOutline {
  const lines = text.split('\n');
  return { shape: 'lines', keys: new Set(), itemKeys: new Set(lines.flatMap(line => [...keysAt(line, ['{'])])) };
}

/** Whether most of the lines after the first are objects. The first line is an object or is invalid. */
function isLines(text: string): boolean {
  const [first = '', ...further] = text.split('\n').filter(line => line.trim() !== '');
  const isStart = isObject(first) && further.length > 0;
  return isStart || further.filter(isObject).length * 2 > further.length;
}

function isObject(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Returns the names of the fields of objects whose enclosing brackets, from the outermost, are one of `places`. */
function keysAt(text: string, places: readonly string[]): Set<string> {
  const keys = new Set<string>();
  let open = '';
  /** The last string, if only blanks follow it. */
  let last: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') {
      const end = endOfString(text, at);
      last = text.slice(at + 1, end);
      at = end;
    } else if (character === ':') {
      if (last !== undefined && places.includes(open)) keys.add(last);
      last = undefined;
    } else if (character === '{' || character === '[') open += character;
    else if (character === '}' || character === ']') open = open.slice(0, -1);
    else if (character.trim() !== '') last = undefined;
  }
  return keys;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

export interface JsonPart {
  /** Position, such as `item 3, line 12`, or `results item 3, line 12`. */
  place: string;
  /** Name of the list in its object. Undefined if the file is one list. */
  list: string | undefined;
  /** JSON text of the item. */
  text: string;
}

/** A part that cannot be read, and the reason as the end of a sentence about the part. */
export type UnreadPart = Omit<JsonPart, 'text'> & { problem: string };

const ITEM_MAX_BYTES = 64 * 1_048_576;
/** Blanks, and the bytes of a byte order mark. */
const BLANK = ' \n\r\t\u00ef\u00bb\u00bf';
/** The problem of the last part of a file that ends within a list. */
const CUT_OFF = 'has no end: the file was cut off, or a quotation mark or bracket is missing';

/**
 * Yields the items of a list. If the file is an object, yields the items of its fields `lists`, and skips its other
 * fields.
 *
 * @param name name of the file, for messages
 * @throws MemoryError `invalid` for text that is neither a list nor an object, `too_large` for an item above 64 MiB
 */
export async function* jsonParts(
  chunks: AsyncIterable<Buffer>,
  name: string,
  lists: readonly string[] = [],
): AsyncGenerator<JsonPart | UnreadPart> {
  // A character is a byte here, so that a piece may end within a letter.
  let text = '';
  let at = 0;
  /** Beginning of the present item or key in `text`, and its line in the file. */
  let start = 0;
  let line = 1;
  let depth = 0;
  /** Depth of the items of the present list; 0 outside of lists. */
  let itemDepth = 0;
  let index = 0;
  let list: string | undefined;
  let isObject = false;
  let isKey = false;
  let isInString = false;
  let isEnded = false;
  const lineAt = (position: number) => line + text.slice(start, position).split('\n').length - 1;
  const begin = (position: number) => {
    line = lineAt(position);
    start = position;
  };
  const firstAt = (end: number) => {
    for (let position = start; position < end; position++)
      if (!BLANK.includes(text[position] as string)) return position;
    return end;
  };
  const placeOf = (position: number) => {
    index += 1;
    return `${list === undefined ? '' : `${list} `}item ${index}, line ${lineAt(position)}`;
  };
  const partAt = (end: number): JsonPart | UnreadPart => {
    const where = { place: placeOf(firstAt(end)), list };
    const bytes = Buffer.from(text.slice(start, end), 'latin1');
    return isUtf8(bytes)
      ? { ...where, text: bytes.toString('utf8').trim() }
      : { ...where, problem: 'is not text in UTF-8' };
  };

  for await (const chunk of chunks) {
    text = text.slice(start) + chunk.toString('latin1');
    at -= start;
    start = 0;
    for (; at < text.length; at++) {
      const character = text[at] as string;
      if (isInString) {
        if (character === '\\') at += 1;
        else isInString = character !== '"';
      } else if (BLANK.includes(character)) continue;
      else if (isEnded) {
        yield { place: `line ${lineAt(at)}`, list: undefined, problem: 'follows the end of the JSON' };
        return;
      } else if (depth === 0) {
        isObject = character === '{' && lists.length > 0;
        if (!isObject && character !== '[') throw notAList(name);
        isKey = isObject;
        itemDepth = isObject ? 0 : 1;
        depth = 1;
        begin(at + 1);
      } else if (character === '"') isInString = true;
      else if (character === '{' || character === '[') {
        depth += 1;
        if (character === '{' || depth !== 2 || list === undefined) continue;
        itemDepth = 2;
        index = 0;
        begin(at + 1);
      } else if (character === ':' && isKey && depth === 1) {
        const key = text.slice(start, at).trim().replace(/^"|"$/g, '');
        list = lists.find(wanted => wanted === key);
        isKey = false;
        begin(at + 1);
      } else if (character === ',' || character === '}' || character === ']') {
        const isItemEnd = depth === itemDepth;
        if (isItemEnd && firstAt(at) < at) yield partAt(at);
        if (isItemEnd) begin(at + 1);
        if (character !== ',') {
          if (isItemEnd) itemDepth = 0;
          depth -= 1;
          isEnded = depth === 0;
        } else if (isObject && depth === 1) {
          list = undefined;
          isKey = true;
          begin(at + 1);
        }
      }
    }
    if (itemDepth === 0 && !isKey) begin(text.length);
    if (text.length - start > ITEM_MAX_BYTES) {
      throw new MemoryError('too_large', `An item of ${name} has more than ${ITEM_MAX_BYTES} bytes`);
    }
  }
  if (depth === 0 && !isEnded) throw notAList(name);
  if (!isEnded) yield { place: placeOf(firstAt(text.length)), list, problem: CUT_OFF };
}

function notAList(name: string): MemoryError {
  return new MemoryError('invalid', `${name} must be one JSON array`);
}
