/** Reads the items of a JSON array one by one, so that a file of many conversations takes little memory. */
import { MemoryError } from '../../domain/errors.js';
import { parseJson } from './values.js';

const ITEM_MAX_BYTES = 64 * 1_048_576;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const BLANK = new Set([0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf]);

/**
 * Yields the items. Only one item at a time is in memory.
 *
 * @param name name of the file, for messages
 * @throws MemoryError `invalid` for text that is not an array or was cut off, `too_large` for an item above 64 MiB
 */
export async function* jsonItems(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<unknown> {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let hasEnded = false;
  const parts: Buffer[] = [];
  let held = 0;
  const item = (last: Buffer): unknown[] => {
    const text = Buffer.concat([...parts, last])
      .toString('utf8')
      .trim();
    parts.length = 0;
    held = 0;
    return text === '' ? [] : [parseJson(text, name)];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (depth === 0) {
        if (BLANK.has(byte)) continue;
        if (byte !== 0x5b || hasEnded) throw notAnArray(name);
        depth = 1;
        start = at + 1;
      } else if (byte === QUOTE) isInString = true;
      else if (OPENING.has(byte)) depth += 1;
      else if (CLOSING.has(byte)) {
        depth -= 1;
        if (depth > 0) continue;
        yield* item(chunk.subarray(start, at));
        hasEnded = true;
      } else if (byte === COMMA && depth === 1) {
        yield* item(chunk.subarray(start, at));
        start = at + 1;
      }
    }
    if (depth === 0) continue;
    held += chunk.length - start;
    if (held > ITEM_MAX_BYTES)
      throw new MemoryError('too_large', `An item of ${name} has more than ${ITEM_MAX_BYTES} bytes`);
    parts.push(chunk.subarray(start));
  }
  if (!hasEnded) throw new MemoryError('invalid', `${name} was cut off: its array has no end`);
}

function notAnArray(name: string): MemoryError {
  return new MemoryError('invalid', `${name} must be one JSON array`);
}
