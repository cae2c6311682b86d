/**
 * Encodes user text so that the server stores and finds exactly this text, and maps ids to numbers that sort like the
 * ids.
 */
import { createHash } from 'node:crypto';

/** First character of a text that is stored as JSON, because it cannot be stored unchanged. */
const JSON_MARK = '\u0002';
/** Represents an absent text in Engraph's own properties. */
export const NONE = '';
/**
 * Ids that an index stores exactly. The index trims its entries, cuts them at some control characters, and limits their
 * length.
 */
const PLAIN_KEY = /^[\w.:@/-]{1,128}$/;

/**
 * Encodes text for one of Engraph's own properties: the text stays unchanged, unless a statement could not carry it.
 */
export function encodeText(text: string): string {
  const isPlain = text !== NONE && text.isWellFormed() && !text.includes('\0') && !text.startsWith(JSON_MARK);
  return isPlain ? text : JSON_MARK + JSON.stringify(text);
}

export function decodeText(text: string): string {
  return text.startsWith(JSON_MARK) ? (JSON.parse(text.slice(JSON_MARK.length)) as string) : text;
}

/**
 * Returns the indexed form of an id or a name: the text itself, or its digest if an index would confuse the text with
 * another text.
 */
export function keyOf(id: string): string {
  if (PLAIN_KEY.test(id)) return id;
  // A digest of the UTF-8 bytes would treat all lone surrogates as equal.
  return `#${createHash('sha1').update(Buffer.from(id, 'utf16le')).digest('hex')}`;
}

/** Returns the distinct keys of these ids. */
export function keysOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(keyOf))];
}

/** Returns the properties that identify a node: its key, and the exact id if the key is a digest. */
export function identityOf(id: string): { id: string; _exact_id?: string } {
  const key = keyOf(id);
  return key === id ? { id } : { id: key, _exact_id: encodeText(id) };
}

/** Returns an expression for the id of a node. The value must be decoded with `decodeText`. */
export function idIn(alias: string): string {
  return `coalesce(${alias}._exact_id, ${alias}.id)`;
}

export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

export function decodeVector(text: string): Float32Array {
  // The bytes are copied, because a buffer may start at an address that is not a multiple of four bytes.
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
}

const RANKED_CHARACTERS = '0123456789abcdef';
const RANKED_LENGTH = 9;
const RANK_BASE = 19;
export const RANK_END = RANK_BASE ** RANKED_LENGTH;

/**
 * Maps the beginning of an id to a number that sorts like the id. Range conditions use the number, because the server's
 * text ranges are not reliable. The number distinguishes hexadecimal digits, of which most ids consist. It ignores all
 * characters after the first one that is not a hexadecimal digit.
 */
export function idRank(id: string): number {
  const key = keyOf(id);
  let rank = 0;
  let isRanked = true;
  for (let position = 0; position < RANKED_LENGTH; position++) {
    const character = key[position] ?? '';
    rank = rank * RANK_BASE + (isRanked ? rankOf(character) : 0);
    isRanked &&= RANKED_CHARACTERS.includes(character) && character !== '';
  }
  return rank;
}

/**
 * Returns 0 for a character before the digits, 1 to 10 for digits, 11 for a character between `9` and `a`, 12 to 17 for
 * `a` to `f`, and 18 for a character after `f`.
 */
function rankOf(character: string): number {
  if (character < '0') return 0;
  if (character <= '9') return 1 + Number(character);
  if (character < 'a') return 11;
  return character <= 'f' ? 2 + Number.parseInt(character, 16) : 18;
}
