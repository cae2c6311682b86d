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
  const splitter = new Splitter(name, new Set(lists));
  for await (const chunk of chunks) yield* splitter.write(chunk);
  yield* splitter.end();
}

class Splitter {
  private depth = 0;
  /** Depth of the items of the present list; 0 outside of lists. */
  private itemDepth = 0;
  private list: string | undefined;
  private isObject = false;
  private isKey = false;
  private isInString = false;
  private isEscaped = false;
  private state: 'before' | 'inside' | 'ended' | 'trailing' = 'before';
  private line = 1;
  /** Line of the first character of the item; 0 before this character. */
  private firstLine = 0;
  private index = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;

  private readonly name: string;
  private readonly wanted: ReadonlySet<string>;

  constructor(name: string, wanted: ReadonlySet<string>) {
    this.name = name;
    this.wanted = wanted;
  }

  *write(chunk: Buffer): Generator<JsonPart | UnreadPart> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) this.line += 1;
      if (this.isInString) this.readString(byte);
      else if (!BLANK.has(byte)) {
        if (this.state === 'ended') {
          this.state = 'trailing';
          yield { place: `line ${this.line}`, list: undefined, problem: 'follows the end of the JSON' };
        }
        if (this.state === 'trailing') return;
        if (this.endsItem(byte)) {
          yield* this.item(chunk.subarray(start, at), byte);
          start = at + 1;
        } else if (this.endsKey(byte, chunk.subarray(start, at)) || this.opensList(byte)) start = at + 1;
      }
    }
    if (this.itemDepth > 0 || this.isKey) this.hold(chunk.subarray(start));
  }

  *end(): Generator<UnreadPart> {
    if (this.state === 'before') throw this.notAList();
    if (this.state !== 'inside') return;
    this.index += 1;
    yield { place: this.placeAt(this.firstLine || this.line), list: this.list, problem: CUT_OFF };
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
  }

  /** Notes a closing bracket. Returns whether the byte ends an item. */
  private endsItem(byte: number): boolean {
    if (!CLOSING.has(byte)) return byte === COMMA && this.itemDepth > 0 && this.depth === this.itemDepth;
    const isListEnd = this.itemDepth > 0 && this.depth === this.itemDepth;
    this.depth -= 1;
    if (this.depth === 0) this.state = 'ended';
    return isListEnd;
  }

  private *item(last: Buffer, byte: number): Generator<JsonPart | UnreadPart> {
    const bytes = this.taken(last);
    if (this.firstLine > 0) {
      this.index += 1;
      const where = { place: this.placeAt(this.firstLine), list: this.list };
      if (isUtf8(bytes)) yield { ...where, text: bytes.toString('utf8').trim() };
      else yield { ...where, problem: 'is not text in UTF-8' };
      this.firstLine = 0;
    }
    if (byte === COMMA) return;
    this.itemDepth = 0;
    this.list = undefined;
  }

  /** Returns whether the byte is a colon or a comma between the fields of the outermost object. */
  private endsKey(byte: number, before: Buffer): boolean {
    if (!this.isObject || this.depth !== 1) return false;
    if (byte === COLON && this.isKey) {
      const key = this.taken(before).toString('utf8').trim().replace(/^"|"$/g, '');
      this.list = this.wanted.has(key) ? key : undefined;
      this.isKey = false;
      return true;
    }
    if (byte !== COMMA) return false;
    this.list = undefined;
    this.isKey = true;
    this.begin();
    return true;
  }

  /** Notes the first byte of a value. Returns whether the byte opens the file or a list whose items are read. */
  private opensList(byte: number): boolean {
    if (this.state === 'before') {
      if (!OPENING.has(byte)) throw this.notAList();
      this.state = 'inside';
      this.depth = 1;
      this.isObject = byte !== OPENING_LIST;
      if (this.isObject && this.wanted.size === 0) throw this.notAList();
      this.isKey = this.isObject;
      this.itemDepth = this.isObject ? 0 : 1;
      return true;
    }
    this.isInString = byte === QUOTE;
    if (OPENING.has(byte)) {
      this.depth += 1;
      if (byte === OPENING_LIST && this.depth === 2 && this.list !== undefined) {
        this.itemDepth = 2;
        this.index = 0;
        this.begin();
        return true;
      }
    }
    if (this.firstLine === 0) this.firstLine = this.line;
    return false;
  }

  private begin(): void {
    this.held = [];
    this.heldBytes = 0;
    this.firstLine = 0;
  }

  private hold(bytes: Buffer): void {
    this.heldBytes += bytes.length;
    if (this.heldBytes > ITEM_MAX_BYTES) {
      throw new MemoryError('too_large', `An item of ${this.name} has more than ${ITEM_MAX_BYTES} bytes`);
    }
    this.held.push(bytes);
  }

  private taken(last: Buffer): Buffer {
    const bytes = this.held.length === 0 ? last : Buffer.concat([...this.held, last]);
    this.held = [];
    this.heldBytes = 0;
    return bytes;
  }

  private placeAt(line: number): string {
    return `${this.list === undefined ? '' : `${this.list} `}item ${this.index}, line ${line}`;
  }

  private notAList(): MemoryError {
    return new MemoryError('invalid', `${this.name} must be one JSON array`);
  }
}

/** The problem of the last part of a file that ends within a list. */
const CUT_OFF = 'has no end: the file was cut off, or a quotation mark or bracket is missing';
