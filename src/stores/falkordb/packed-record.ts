/**
 * Reads a record as one text, because the client takes several times as long to decode many values. If a text could
 * mean several records, `unpack` returns undefined. The caller then reads the values one by one.
 */
import { randomBytes } from 'node:crypto';
import { type FoundRecord, isOursIn } from './found-records.js';
import { END_FIELDS, endPropertyOf, propertyOf, RECORD_FIELDS, type RecordRow } from './read-record.js';

/** These texts often contain quotes. `toJSON` does not escape quotes, so each text is a part of its own. */
const TEXT_FIELDS = ['content', 'summary', 'metadata', 'archived_reason', '_exact'];
/** Separates the parts of a packed record: the key, the JSON text, the tags, and the texts. */
const PART_END = '\u0001';
/** Separates the tags in their part. */
const TAG_END = '\u0003';
/** Stands for an absent text. It is random, so that no text of another program equals it. */
const ABSENT = `\u0002${randomBytes(3).toString('base64url')}`;

export interface Packing {
  /**
   * Returns the column that `unpack` reads. The JSON text also contains whether the node is ours, and the number of its
   * tags.
   */
  columnOf(alias: string): string;
  /** Returns undefined if the text is ambiguous. */
  unpack(packed: string): FoundRecord | undefined;
}

/**
 * @param fields the properties of the record, in its order, with `id` and `tags` among them
 * @param expressionOf returns an expression for a property
 */
function packingOf(fields: readonly string[], expressionOf = propertyOf): Packing {
  const textFields = fields.filter(field => TEXT_FIELDS.includes(field));
  const jsonFields = fields.filter(field => !['id', 'tags', ...TEXT_FIELDS].includes(field));
  const positionsOf = (some: readonly string[]) => some.map(field => fields.indexOf(field));
  const textPositions = positionsOf(textFields);
  const jsonPositions = positionsOf(jsonFields);
  const [idPosition, tagsPosition] = [fields.indexOf('id'), fields.indexOf('tags')];
  return {
    columnOf: alias => {
      const of = (field: string) => expressionOf(alias, field);
      const parts = [
        of('id'),
        `toJSON([${[...jsonFields.map(of), isOursIn(alias), `size(${of('tags')})`].join(', ')}])`,
        `string.join(coalesce(${of('tags')}, []), '${TAG_END}')`,
        ...textFields.map(field => `coalesce(${of(field)}, '${ABSENT}')`),
      ];
      return `string.join([${parts.join(', ')}], '${PART_END}')`;
    },
    unpack: packed => {
      const [id, json = '', tags = '', ...texts] = packed.split(PART_END);
      const values = flatValuesOf(json);
      // A separator within a text adds a part.
      if (texts.length !== textFields.length || values?.length !== jsonFields.length + 2) return undefined;
      const [isOurs, tagCount] = values.slice(jsonFields.length);
      const tagList = tagCount === 0 ? [] : tags.split(TAG_END);
      if (tagCount !== null && tagList.length !== tagCount) return undefined;
      const record: RecordRow = new Array(fields.length);
      for (const [at, position] of jsonPositions.entries()) record[position] = values[at];
      for (const [at, position] of textPositions.entries()) record[position] = texts[at] === ABSENT ? null : texts[at];
      record[idPosition] = id;
      record[tagsPosition] = tagCount === null ? null : tagList;
      return [record, isOurs as boolean];
    },
  };
}

/** Packs whole records. */
export const WHOLE = packingOf(RECORD_FIELDS);
/** Packs memories at the ends of edges. */
export const END = packingOf(END_FIELDS, endPropertyOf);

/**
 * Whether the server refused the statement because it could not pack a node. `toJSON` refuses dates and vectors, and
 * `string.join` refuses values that are not texts. Early servers have no `string.join`.
 */
export function isUnpackable(error: unknown): boolean {
  return error instanceof Error && /JSON encoder|Type mismatch|Unknown function/.test(error.message);
}

/** Returns the property `id` of a packed node. */
export function keyOfPacked(packed: string): string {
  return packed.slice(0, packed.indexOf(PART_END));
}

/**
 * Returns the values of a list that the server has written as JSON; undefined if the text is ambiguous. The server does
 * not escape texts, so a backslash would be lost. A text with an odd number of quotes produces a value that begins with
 * `, `. A text with an even number of quotes adds values, and the caller compares the number of values.
 */
function flatValuesOf(json: string): unknown[] | undefined {
  if (json.includes('\\')) return undefined;
  try {
    const values = JSON.parse(json) as unknown[];
    return values.some(isAmbiguous) ? undefined : values;
  } catch {
    return undefined;
  }
}

function isAmbiguous(value: unknown): boolean {
  return typeof value === 'string' ? value.startsWith(', ') : typeof value === 'object' && value !== null;
}
