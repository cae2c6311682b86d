/** Reads a file line by line, without loading the whole file. Refuses lines that are too long or not UTF-8. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { MemoryError } from '../domain/errors.js';

export interface Line {
  /** From 1. */
  number: number;
  text: string;
  /** Size with its line break, in bytes. */
  size: number;
}

/** Maximum size of a line. In an export, a memory with all its edges fits into a line of this size. */
export const LINE_MAX_BYTES = 16 * 1_048_576;
const CHUNK_BYTES = 1_048_576;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Yields complete lines, several at a time. The text after the last line break is a line too, unless `skipsRest`.
 *
 * @throws MemoryError `invalid` with the number of a line that is too long or not UTF-8
 */
export async function* readLines(path: string, { skipsRest = false } = {}): AsyncGenerator<Line[]> {
  const parts: Buffer[] = [];
  let held = 0;
  let number = 0;
  const next = (last: Buffer, size: number): Line => {
    number += 1;
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts.length = 0;
    held = 0;
    return { number, size, text: textOf(bytes, number) };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      assertLength(held + end - start, number + 1);
      lines.push(next(chunk.subarray(start, end), held + end - start + 1));
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    held += chunk.length - start;
    assertLength(held, number + 1);
    if (lines.length > 0) yield lines;
  }
  if (held > 0 && !skipsRest) yield [next(Buffer.alloc(0), held)];
}

function textOf(bytes: Buffer, number: number): string {
  if (!isUtf8(bytes)) throw new MemoryError('invalid', `Line ${number} is not text in UTF-8`);
  const text = bytes.toString('utf8');
  const unmarked = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked;
}

function assertLength(bytes: number, number: number): void {
  if (bytes <= LINE_MAX_BYTES) return;
  throw new MemoryError('invalid', `Line ${number} is longer than ${LINE_MAX_BYTES} bytes`);
}
