/** Reads the records of a JSON file: one in each line, the items of a list, or the items of lists in an object. */
import { basename } from 'node:path';
import { isPlainObject } from '../../domain/json.js';
import { readBounded } from '../folder.js';
import { headOf } from '../head.js';
import { readLines } from '../lines.js';
import { chunksOf } from './bytes.js';
import { outlineOf } from './json-outline.js';
import { type JsonPart, jsonParts, type UnreadPart } from './json-parts.js';
import { type Fields, parseJson, wrongShape } from './values.js';

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
