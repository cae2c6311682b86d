/** Reads a file line by line, without loading the whole file. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

export interface Line {
  /** From 1. */
  number: number;
  text: string;
  /** Size with its line break, in bytes. */
  size: number;
  /** Why the line cannot be read, as the end of a sentence about the line. The text is then empty. */
  problem?: string;
}

/** Maximum size of a line. In an export, a memory with all its edges fits into a line of this size. */
export const LINE_MAX_BYTES = 16 * 1_048_576;
const CHUNK_BYTES = 1_048_576;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** Yields complete lines, several at a time. The text after the last line break is a line too, unless `skipsRest`. */
export async function* readLines(path: string, { skipsRest = false } = {}): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let held = 0;
  let number = 0;
  const hold = (bytes: Buffer) => {
    held += bytes.length;
    // The bytes of a line that is too long are counted, and not kept.
    if (held > LINE_MAX_BYTES) parts = [];
    else parts.push(bytes);
  };
  const next = (lineBreak: number): Line => {
    number += 1;
    const line = { number, size: held + lineBreak, ...read(parts, held, number) };
    parts = [];
    held = 0;
    return line;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      hold(chunk.subarray(start, end));
      lines.push(next(1));
      start = end + 1;
    }
    hold(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (held > 0 && !skipsRest) yield [next(0)];
}

function read(parts: readonly Buffer[], size: number, number: number): Pick<Line, 'text' | 'problem'> {
  if (size > LINE_MAX_BYTES) return { text: '', problem: `is longer than ${LINE_MAX_BYTES} bytes` };
  const [first = Buffer.alloc(0), ...rest] = parts;
  const bytes = rest.length === 0 ? first : Buffer.concat(parts);
  if (!isUtf8(bytes)) return { text: '', problem: 'is not text in UTF-8' };
  const text = bytes.toString('utf8');
  const unmarked = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return { text: unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked };
}
