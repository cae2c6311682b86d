/** Random values for every field of a request: valid ones, and hostile ones. */
import fc from 'fast-check';
import { MEMORY_TYPES } from '../../src/domain/memory.js';
import { RECENCY_BIASES, SORT_ORDERS, STATE_MODES, TAG_MATCHES, TAG_MODES } from '../../src/domain/recall.js';
import { RELATION_TYPES } from '../../src/domain/relation.js';
import { anyCharacter } from '../support/any-character.js';

/** Ids of memories that exist or have existed. Requests share these ids, so that they affect each other. */
export const KNOWN_IDS = Array.from({ length: 8 }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
const UNKNOWN_ID = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
export const DIMENSIONS = 64;

export const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  '',
];

const SHARP_TEXTS = [
  '*',
  ' ',
  '\u0000',
  '\ud800',
  'x\udfff',
  '\u202e\u200b\u{e0041}',
  '%00',
  '%',
  '"',
  "a'b",
  '`',
  '\\',
  'NEAR(a b, 5)',
  '(a OR',
  'x*',
  '^',
  '-',
  'a AND NOT',
  'a:b/c::d',
  '[draft] x',
  '["a","b"]',
  '["[\\"a\\"]"]',
  '[1,2]',
  '{"k":1}',
  '[{}]',
  '{"id":1234567890123456789}',
  '$id',
  '}) DETACH DELETE m //',
  "'; DROP TABLE memories; --",
  '#{7*7}',
  '../../etc/passwd',
  '[object Object]',
  'NaN',
  'Infinity',
  '1e400',
  '-1',
  '0x10',
  '١٢٣',
  'true',
  'null',
  'undefined',
  '2026-02-30',
  '+275760-09-13T00:00:00Z',
  'last 99999999999999999999 years',
  'in the year of the 5th of 13/13/0000',
  'between',
  '(a+)+$',
  ...PROTOTYPE_KEYS,
];

/** Long repetitions of a short text. Some parsers may be slow on them. */
const longText = fc
  .tuple(
    fc.constantFrom(
      'a',
      '9',
      ' ',
      ',',
      ':',
      '\n',
      'é',
      '字',
      '👩\u200d',
      '\u0301',
      '(',
      '"',
      '\\',
      '\u200b',
      'a ',
      'Aa',
      '1 day ',
    ),
    fc.constantFrom(300, 1_100, 21_000, 120_000),
  )
  .map(([unit, count]) => unit.repeat(Math.ceil(count / unit.length)));

export const hostileText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...SHARP_TEXTS) },
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
  { weight: 1, arbitrary: longText },
);

/** `[[[…]]]` or `{"a":{"a":…}}`. */
const deep = fc.tuple(fc.boolean(), fc.constantFrom(15, 17, 40, 3_000)).map(([isArray, depth]) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = isArray ? [value] : { a: value };
  return value;
});

const masquerade = fc
  .tuple(fc.constantFrom(...PROTOTYPE_KEYS), fc.constantFrom<unknown>(1, null, 'x', [], {}, { toString: 1 }))
  // JSON.parse creates an own property called __proto__. An object literal would set the prototype instead.
  .map(([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as unknown);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 4, arbitrary: masquerade },
  // A value that fails when it is converted to text.
  { weight: 4, arbitrary: fc.constant({ toString: 1 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      0.5,
      1e308,
      -1e308,
      2 ** 53,
      5e-324,
      [],
      {},
      [[]],
      [null],
    ),
  },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.constantFrom(101, 501, 30_000).map(length => Array<string>(length).fill('x')) },
  { weight: 1, arbitrary: fc.constantFrom(70, 1_001).map(keysOf) },
);

function keysOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}

const words = fc
  .array(
    fc.constantFrom(
      ...'Anna chose PostgreSQL for the shop yesterday because deploys failed in TypeScript café 東京'.split(' '),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map(parts => parts.join(' '));
const TAGS = ['project:shop', 'project/shop/ops', 'people:anna', 'café', 'Fuzz', 'entity:tools:postgresql'];
const tag = fc.constantFrom(...TAGS);
const tags = fc.array(tag, { maxLength: 4 });
const id = fc.constantFrom(...KNOWN_IDS, UNKNOWN_ID);
const unit = fc.constantFrom(0, 0.25, 0.5, 1);
const flag = fc.boolean();
const instant = fc.constantFrom(
  ...['2026-01-31', '2026-03-01T12:00:00Z', '0000-01-01', '9999-12-31', '9999-12-31T23:59:59.999Z'],
  ...['yesterday', 'last week', 'in 3 days', '2 hours ago', 'since May', 'before May', 'last 9999 years', 'some day'],
);
const vector = fc
  .integer({ min: 0, max: DIMENSIONS - 1 })
  .map(axis => Array.from({ length: DIMENSIONS }, (_, i) => (i === axis ? 1 : 0)));
const count = fc.constantFrom(0, 1, 5, 20, 200);

/** Generators of valid values, by the name of the field. */
export const PROPER: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  content: words,
  query: words,
  context: words,
  reason: words,
  supersede_reason: words,
  queries: fc.array(words, { maxLength: 4 }),
  tags,
  exclude_tags: tags,
  context_tags: tags,
  relationship_types: fc.array(fc.constantFrom(...RELATION_TYPES), { maxLength: 3 }),
  type: fc.constantFrom(...MEMORY_TYPES, ...RELATION_TYPES),
  context_types: fc.array(fc.constantFrom(...MEMORY_TYPES), { maxLength: 3 }),
  metadata: fc.dictionary(fc.constantFrom('source', 'files', ...PROTOTYPE_KEYS), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }),
  embedding: vector,
  id,
  memory_id: id,
  memory1_id: id,
  memory2_id: id,
  supersedes_memory_id: id,
  supersede_relation: fc.constantFrom('INVALIDATED_BY', 'evolved_into'),
  ids: fc.array(id, { maxLength: 4 }),
  priority_ids: fc.array(id, { maxLength: 4 }),
  time_query: fc.constantFrom(
    'last 7 days',
    'yesterday',
    'in May 2024',
    'past 3 and a half weeks',
    'between 1 and 5 March',
  ),
  format: fc.constantFrom('text', 'items', 'detailed', 'JSON'),
  language: fc.constantFrom('typescript', 'C++', 'c#', '.net'),
  active_path: fc.constantFrom('src/a.ts', 'Dockerfile', '/a.b/c'),
  sort: fc.constantFrom(...SORT_ORDERS),
  order_by: fc.constantFrom(...SORT_ORDERS),
  lang: fc.constantFrom('rust', 'go'),
  time: fc.constantFrom('today', 'last month'),
  tag_mode: fc.constantFrom(...TAG_MODES),
  tag_match: fc.constantFrom(...TAG_MATCHES),
  state_mode: fc.constantFrom(...STATE_MODES),
  recency_bias: fc.constantFrom(...RECENCY_BIASES),
  ...Object.fromEntries(
    ['importance', 'confidence', 'strength', 'min_score', 'expand_min_importance', 'expand_min_strength'].map(name => [
      name,
      unit,
    ]),
  ),
  ...Object.fromEntries(
    ['timestamp', 'updated_at', 'last_accessed', 't_valid', 't_invalid', 'start', 'end'].map(name => [name, instant]),
  ),
  ...Object.fromEntries(
    [
      'limit',
      'offset',
      'per_query_limit',
      'relation_limit',
      'expansion_limit',
      'max_tokens',
      'max_depth',
      'batch_size',
    ].map(name => [name, count]),
  ),
};

/** Lists and objects as JSON text, and other values as text. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** All of `required` and some of `names`, most with valid values. A name that is not in PROPER gets a boolean. */
export function fieldsOf(
  names: readonly string[],
  required: readonly string[] = [],
): fc.Arbitrary<Record<string, unknown>> {
  const anyValueOf = (name: string) => {
    const proper = PROPER[name] ?? flag;
    return fc.oneof(
      { weight: 10, arbitrary: proper },
      { weight: 2, arbitrary: proper.map(asText) },
      { weight: 1, arbitrary: proper.map(value => [asText(value)]) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>('', ' ', null, [], {}, '[]', '{}') },
      { weight: 2, arbitrary: hostileValue },
    );
  };
  const record = (chosen: readonly string[]) =>
    fc.record(Object.fromEntries(chosen.map(name => [name, anyValueOf(name)])));
  return fc
    .subarray([...names], { maxLength: Math.min(6, names.length) })
    .chain(chosen => record([...new Set([...required, ...chosen])]));
}

/** The initial memories, which requests change and delete. */
export function knownMemories(): Record<string, unknown>[] {
  return KNOWN_IDS.map((known, index) => ({
    id: known,
    content: `Anna chose PostgreSQL for the shop, version ${index}`,
    tags: TAGS.slice(0, index),
  }));
}
