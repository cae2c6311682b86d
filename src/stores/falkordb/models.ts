/** Stores the model of a memory's vector: its name, and a number by which an index finds memories of the model. */
import { createHash } from 'node:crypto';
import { encodeText, NONE } from './encoding.js';

/** The value of `_model` for memories without a vector. With this value, an index finds such memories. */
export const NO_MODEL = 0;

export function modelProperties(model: string | undefined) {
  return { _embedded_by: model === undefined ? NONE : encodeText(model), _model: modelNumber(model) };
}

/** Returns a digest as a number, because the server's index supports ranges of numbers but not of text. */
export function modelNumber(model: string | undefined): number {
  if (model === undefined) return NO_MODEL;
  return createHash('sha1').update(Buffer.from(model, 'utf16le')).digest().readUIntBE(0, 6) + 1;
}
