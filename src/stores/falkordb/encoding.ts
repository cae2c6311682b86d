/** Text of users in a form that the server keeps exactly and its indexes look up exactly, and the order of ids. */
import { createHash } from 'node:crypto';

/** What follows is JSON: the text holds something that a statement cannot carry. */
const JSON_MARK = '\u0002';
/** Stands for no text in properties of our own. */
export const NONE = '';
/** Index entries are trimmed, end at some control characters, and have a longest length. */
const PLAIN_KEY = /^[\w.:@/-]{1,128}$/;

/** Text for a property of our own: as it is, unless a statement could not carry it. */
export function encodeText(text: string): string {
  const isPlain = text !== NONE && text.isWellFormed() && !text.includes('\0') && !text.startsWith(JSON_MARK);
  return isPlain ? text : JSON_MARK + JSON.stringify(text);
}

export function decodeText(text: string): string {
  return text.startsWith(JSON_MARK) ? (JSON.parse(text.slice(JSON_MARK.length)) as string) : text;
}

/** The form in which an id or a name is indexed: itself, or its digest when an index would confuse it with another. */
export function keyOf(id: string): string {
  if (PLAIN_KEY.test(id)) return id;
  // Not of UTF-8, in which all lone surrogates are alike.
  return `#${createHash('sha1').update(Buffer.from(id, 'utf16le')).digest('hex')}`;
}

/** Each once. */
export function keysOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(keyOf))];
}

/** What a node is identified by: its key, and the exact id where the key does not say it all. */
export function identityOf(id: string): { id: string; _exact_id?: string } {
  const key = keyOf(id);
  return key === id ? { id } : { id: key, _exact_id: encodeText(id) };
}

/** The id that a node has, as an expression to be decoded with `decodeText`. */
export function idIn(alias: string): string {
  return `coalesce(${alias}._exact_id, ${alias}.id)`;
}

export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

export function decodeVector(text: string): Float32Array {
  // Copied, since a buffer need not begin at a multiple of four bytes.
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
}

const RANKED_CHARACTERS = '0123456789abcdef';
const RANKED_LENGTH = 9;
const RANK_BASE = 19;
export const RANK_END = RANK_BASE ** RANKED_LENGTH;

/**
 * The beginning of an id as a number of the same order: the server cannot be trusted with ranges of text. Hexadecimal
 * digits, of which most ids are, are told apart; from the first other character on, ids are alike.
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

/** 0 before the digits, then the digits, 11 between them and the letters, the letters, and 18 behind. */
function rankOf(character: string): number {
  if (character < '0') return 0;
  if (character <= '9') return 1 + Number(character);
  if (character < 'a') return 11;
  return character <= 'f' ? 2 + Number.parseInt(character, 16) : 18;
}
