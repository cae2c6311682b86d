/** Text of users in a form that the server keeps exactly and its indexes look up exactly. */
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
