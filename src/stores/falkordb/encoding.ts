/** Text of users in a form that the server keeps exactly and its indexes look up exactly. */
import { createHash } from 'node:crypto';

/** What follows is JSON: the text holds something that a statement cannot carry. */
const JSON_MARK = '\u0002';
/**
 * Stands for no text. Properties are never removed, nor set to null: up to version 4.16 the server then loses the others
 * that the same statement sets (FalkorDB issue 1787).
 */
export const NONE = '';
/** Index entries are trimmed, end at some control characters, and have a longest length. */
const PLAIN_KEY = /^[\w.:@/-]{1,128}$/;

/** Text for a property: as it is, so that people can read it in the graph, unless a statement could not carry it. */
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

/** The exact id beside its key; `NONE` where the key says it all. */
export function exactId(id: string): string {
  return keyOf(id) === id ? NONE : encodeText(id);
}

/** The id that a node has, as an expression to be decoded with `decodeText`. */
export function idIn(alias: string): string {
  return `CASE WHEN ${alias}.exact_id = '${NONE}' THEN ${alias}.id ELSE ${alias}.exact_id END`;
}

export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

export function decodeVector(text: string): Float32Array {
  // Copied, since a buffer need not begin at a multiple of four bytes.
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
}
