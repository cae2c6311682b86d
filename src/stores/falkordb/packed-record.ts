/**
 * Reads a record as one text, because the client takes several times as long to decode many values. A text that could
 * mean several records is not unpacked; the caller then reads the values one by one.
 */
import { type FoundRecord, isOursIn } from './found-records.js';
import { RECORD_FIELDS, type RecordRow } from './read-record.js';

/** These properties are parts of their own, because they often contain quotes, which `toJSON` does not escape. */
const TEXT_FIELDS = ['content', 'summary', 'metadata', 'archived_reason', '_exact'];
const JSON_FIELDS = RECORD_FIELDS.filter(field => field !== 'tags' && !TEXT_FIELDS.includes(field));
const TEXT_POSITIONS = positionsOf(TEXT_FIELDS);
const JSON_POSITIONS = positionsOf(JSON_FIELDS);
const TAGS = RECORD_FIELDS.indexOf('tags');

/** Separates the parts of a packed record. */
const PART_END = '\u0001';
/** Separates the tags in their part. */
const TAG_END = '\u0003';
/** Number of values in the JSON text. */
const VALUES = JSON_FIELDS.length + 2 + TEXT_FIELDS.length;

/**
 * Returns the column that `unpackRecord` reads. The JSON text also contains whether the node is ours, the number of its
 * tags, and which texts are absent.
 */
export function packedRecord(alias: string): string {
  const of = (field: string) => `${alias}.${field}`;
  const values = [
    ...JSON_FIELDS.map(of),
    isOursIn(alias),
    `size(${of('tags')})`,
    ...TEXT_FIELDS.map(field => `${of(field)} IS NULL`),
  ];
  const parts = [
    of('id'),
    `toJSON([${values.join(', ')}])`,
    `string.join(coalesce(${of('tags')}, []), '${TAG_END}')`,
    ...TEXT_FIELDS.map(field => `coalesce(${of(field)}, '')`),
  ];
  return `string.join([${parts.join(', ')}], '${PART_END}')`;
}

/**
 * Whether the server refused to pack a node, and with it the whole statement. `toJSON` refuses dates and vectors,
 * and `string.join` refuses values that are not texts. Early servers have no `string.join`.
 */
export function isUnpackable(error: unknown): boolean {
  return error instanceof Error && /JSON encoder|Type mismatch|Unknown function/.test(error.message);
}

/** Returns the property `id` of a packed node. */
export function keyOfPacked(packed: string): string {
  return packed.slice(0, packed.indexOf(PART_END));
}

/** Returns undefined if the text is ambiguous. */
export function unpackRecord(packed: string): FoundRecord | undefined {
  const [, json = '', tags = '', ...texts] = packed.split(PART_END);
  const values = flatValuesOf(json);
  // A separator within a text adds a part.
  if (texts.length !== TEXT_FIELDS.length || values?.length !== VALUES) return undefined;
  const [isOurs, tagCount, ...absent] = values.slice(JSON_FIELDS.length);
  const tagList = tagCount === 0 ? [] : tags.split(TAG_END);
  if (tagCount !== null && tagList.length !== tagCount) return undefined;
  const record: RecordRow = new Array(RECORD_FIELDS.length);
  for (const [at, position] of JSON_POSITIONS.entries()) record[position] = values[at];
  for (const [at, position] of TEXT_POSITIONS.entries()) record[position] = absent[at] ? null : texts[at];
  record[TAGS] = tagCount === null ? null : tagList;
  return [record, isOurs as boolean];
}

function positionsOf(fields: readonly string[]): number[] {
  return fields.map(field => RECORD_FIELDS.indexOf(field));
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
