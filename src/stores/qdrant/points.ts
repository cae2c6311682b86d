/** Converts records to Qdrant points, and splits them into requests. */
import { mapFields, type NumberField, type SetField, type VectorPayload } from '../../domain/filter.js';
import { squaredLength } from '../../domain/vectors.js';
import type { VectorRecord } from '../vector-store.js';

/** Qdrant accepts ids that are UUIDs, and returns them in this form. */
const POINT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The payload key of each field. Values are stored unchanged, so that people can read them in the collection. */
export const SET_KEYS: Record<SetField, string> = { tag: 'keys', tagPrefix: 'prefixes' };
export const NUMBER_KEYS: Record<NumberField, string> = {
  createdMs: 'timestamp',
  validFromMs: 'valid_from',
  validUntilMs: 'valid_to',
};
export const MODEL_KEY = 'model';

/**
 * Maximum size of a request. Qdrant accepts 32 MB, but the time limit of a request includes the transfer over a slow
 * line, and serialising a large request blocks this thread.
 */
const REQUEST_BYTES = 4 * 1024 * 1024;
/** Length of the longest value with nine digits, for example `-0.00000123456789,`. */
const BYTES_PER_VALUE = 18;
/** Bytes for the id, field names and punctuation of a point, or of an operation on a point. */
const BYTES_PER_POINT = 200;

/**
 * Whether Qdrant accepts an id. The store never contains an id that Qdrant does not accept, and Qdrant would
 * refuse a whole request that contains such an id.
 */
export function isPointId(id: string): boolean {
  return POINT_ID.test(id);
}

/**
 * Checks a vector before any request of a write is sent. Qdrant would accept a zero vector. It would refuse other wrong
 * vectors, but by then, earlier requests of the same write might already be stored.
 *
 * @throws Error when the id or the vector cannot be stored
 */
export function assertStorable({ id, vector }: VectorRecord, dimensions: number): void {
  if (!isPointId(id)) throw new Error(`the id of a vector must be a UUID in lower case: ${id}`);
  const squares = squaredLength(vector);
  if (vector.length !== dimensions || !Number.isFinite(squares) || squares === 0) {
    throw new Error(`the vector of ${id} must have ${dimensions} finite values that are not all zero`);
  }
}

/**
 * Scales a vector to unit length, and rounds its values to nine digits. Nine digits represent a single-precision number
 * and halve the length of the text. Qdrant computes squares in single precision, so a vector far from unit length would
 * match nothing, not even itself.
 */
export function unitValues(vector: Float32Array): number[] {
  const length = Math.sqrt(squaredLength(vector)) || 1;
  // Zeros are not rounded, because rounding takes long, and most values of hash vectors are zero.
  return Array.from(vector, value => (value === 0 ? 0 : Number(Math.fround(value / length).toPrecision(9))));
}

export type PointPayload = Record<string, string | number | readonly string[]>;

export function pointPayloadOf({ model, sets, numbers }: VectorPayload): PointPayload {
  return {
    [MODEL_KEY]: model,
    ...renamed(SET_KEYS, sets),
    ...renamed(NUMBER_KEYS, numbers),
  };
}

function renamed<Field extends string, Value>(
  names: Readonly<Record<Field, string>>,
  values: Readonly<Record<Field, Value>>,
): Record<string, Value> {
  return Object.fromEntries(Object.values<[string, Value]>(mapFields(names, (name, field) => [name, values[field]])));
}

/** Splits items into parts with a maximum count and size. An item above the maximum size is a part of its own. */
export function* requestsOf<Item extends { payload: PointPayload; vector?: Float32Array }>(
  items: readonly Item[],
  itemsPerRequest: number,
): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size =
      BYTES_PER_POINT + Buffer.byteLength(JSON.stringify(item.payload)) + (item.vector?.length ?? 0) * BYTES_PER_VALUE;
    if (part.length === itemsPerRequest || (part.length > 0 && bytes + size > REQUEST_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
