/** The model that made the vector of a memory: as it is called, and as a number to look it up by. */
import { createHash } from 'node:crypto';
import { encodeText, NONE } from './encoding.js';

/** In `_model` for memories without a vector, so that an index finds them. */
export const NO_MODEL = 0;

export function modelProperties(model: string | undefined) {
  return { _embedded_by: model === undefined ? NONE : encodeText(model), _model: modelNumber(model) };
}

/** A digest: numbers have ranges that the index can be asked for, as text has not. */
export function modelNumber(model: string | undefined): number {
  if (model === undefined) return NO_MODEL;
  return createHash('sha1').update(Buffer.from(model, 'utf16le')).digest().readUIntBE(0, 6) + 1;
}
