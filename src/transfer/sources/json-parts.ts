/**
 * Splits a file of JSON into the items of its lists without parsing it, so that only one item at a time is in memory, and
 * so that an invalid item does not hide the others.
 */
import { isUtf8 } from 'node:buffer';
import { MemoryError } from '../../domain/errors.js';

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
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_LIST = 0x5b;
const OPENING = new Set([OPENING_LIST, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const BLANK = new Set([0x20, LINE_FEED, 0x0d, 0x09, 0xef, 0xbb, 0xbf]);

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
  const splitter = createSplitter(name, new Set(lists));
  for await (const chunk of chunks) yield* splitter.write(chunk);
  yield* splitter.end();
}

function createSplitter(name: string, wanted: ReadonlySet<string>) {
  let depth = 0;
  /** Depth of the items of the present list; 0 outside of lists. */
  let itemDepth = 0;
  let list: string | undefined;
  let isObject = false;
  let isKey = false;
  let isInString = false;
  let isEscaped = false;
  let state: 'before' | 'inside' | 'ended' | 'trailing' = 'before';
  let line = 1;
  /** Line of the first character of the item; 0 before this character. */
  let firstLine = 0;
  let index = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;

  const begin = () => {
    held = [];
    heldBytes = 0;
    firstLine = 0;
  };
  const placeOf = (number: number, at: number) => `${list === undefined ? '' : `${list} `}item ${number}, line ${at}`;
  const taken = (last: Buffer): Buffer => {
    const bytes = held.length === 0 ? last : Buffer.concat([...held, last]);
    held = [];
    heldBytes = 0;
    return bytes;
  };
  const item = (last: Buffer): (JsonPart | UnreadPart)[] => {
    const bytes = taken(last);
    const at = firstLine;
    firstLine = 0;
    if (at === 0) return [];
    index += 1;
    const place = placeOf(index, at);
    if (!isUtf8(bytes)) return [{ place, list, problem: 'is not text in UTF-8' }];
    return [{ place, list, text: bytes.toString('utf8').trim() }];
  };
  /** Returns whether the bracket begins the file or a list whose items are read. */
  const open = (byte: number) => {
    depth += 1;
    if (depth === 1) {
      state = 'inside';
      isObject = byte !== OPENING_LIST;
      if (isObject && wanted.size === 0) throw notAList(name);
      isKey = isObject;
      itemDepth = isObject ? 0 : 1;
      begin();
      return true;
    }
    if (depth !== 2 || list === undefined || itemDepth > 0 || byte !== OPENING_LIST) return false;
    itemDepth = 2;
    index = 0;
    begin();
    return true;
  };

  /** Returns whether the bracket ends a list whose items are read. */
  const close = () => {
    const isListEnd = itemDepth > 0 && depth === itemDepth;
    depth -= 1;
    if (depth === 0) state = 'ended';
    return isListEnd;
  };

  /** Notes a colon or a comma between the fields of the outermost object. */
  const noteField = (byte: number, before: Buffer) => {
    if (byte === COLON && isKey) {
      const key = taken(before).toString('utf8').trim().replace(/^"|"$/g, '');
      list = wanted.has(key) ? key : undefined;
      isKey = false;
    } else if (byte === COMMA) {
      list = undefined;
      isKey = true;
      begin();
    }
  };

  function* write(chunk: Buffer): Generator<JsonPart | UnreadPart> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (BLANK.has(byte)) continue;
      if (state === 'before' && !OPENING.has(byte)) throw notAList(name);
      if (state === 'ended') {
        state = 'trailing';
        yield { place: `line ${line}`, list, problem: 'follows the end of the JSON' };
      }
      if (state === 'trailing') return;
      if (CLOSING.has(byte)) {
        if (!close()) continue;
        yield* item(chunk.subarray(start, at));
        itemDepth = 0;
        list = undefined;
      } else if (byte === COMMA && depth === itemDepth) {
        yield* item(chunk.subarray(start, at));
        start = at + 1;
      } else if (isObject && depth === 1 && (byte === COMMA || byte === COLON)) {
        noteField(byte, chunk.subarray(start, at));
        start = at + 1;
      } else if (OPENING.has(byte) && open(byte)) start = at + 1;
      else {
        if (firstLine === 0) firstLine = line;
        isInString = byte === QUOTE;
      }
    }
    if (itemDepth === 0 && !isKey) return;
    heldBytes += chunk.length - start;
    if (heldBytes > ITEM_MAX_BYTES)
      throw new MemoryError('too_large', `An item of ${name} has more than ${ITEM_MAX_BYTES} bytes`);
    held.push(chunk.subarray(start));
  }

  function* end(): Generator<UnreadPart> {
    if (state === 'before') throw notAList(name);
    if (state === 'inside') yield { place: placeOf(index + 1, firstLine || line), list, problem: CUT_OFF };
  }
  return { write, end };
}

/** The problem of the last part of a file that ends within a list. */
export const CUT_OFF = 'has no end: the file was cut off, or a quotation mark or bracket is missing';

function notAList(name: string): MemoryError {
  return new MemoryError('invalid', `${name} must be one JSON array`);
}
