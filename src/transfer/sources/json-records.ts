/** Reads the records of a JSON file: one in each line, the items of a list, or the items of lists in an object. */
import { basename } from 'node:path';
import { isPlainObject } from '../../domain/json.js';
import { chunksOf, headOf, readBounded } from '../folder.js';
import { readLines } from '../lines.js';
import { type JsonPart, jsonParts, type UnreadPart } from './json-parts.js';
import { type Fields, parseJson, wrongShape } from './source.js';

export type JsonRecord = (Omit<JsonPart, 'text'> & { fields: Fields }) | UnreadPart;

const SINGLE_MAX_BYTES = 16 * 1_048_576;

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
    const { bytes } = await readBounded(path, SINGLE_MAX_BYTES);
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

const LINES_LOOKED_AT = 50;
/** @returns undefined for text that is not JSON */
export function outlineOf(head: string): JsonOutline | undefined {
  const text = head.replace(/^(?:\uFEFF|ï»¿)/, '').trimStart();
  if (text.startsWith('[')) return { shape: 'list', keys: new Set(), itemKeys: keysAt(text, ['[{']) };
  if (isLines(text)) return linesOutline(text);
  if (!text.startsWith('{')) return undefined;
  return { shape: 'object', keys: keysAt(text, ['{']), itemKeys: keysAt(text, ['{[{']) };
}

function linesOutline(text: string): JsonOutline {
  const lines = text.split('\n', LINES_LOOKED_AT);
  return { shape: 'lines', keys: new Set(), itemKeys: new Set(lines.flatMap(line => [...keysAt(line, ['{'])])) };
}

/** Whether most of the lines after the first are objects. The first line is an object or is invalid. */
function isLines(text: string): boolean {
  const [first = '', ...further] = text.split('\n', LINES_LOOKED_AT).filter(line => line.trim() !== '');
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
