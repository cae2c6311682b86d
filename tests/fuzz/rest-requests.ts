/** Requests to every route of the REST interface, with hostile parts in them. */
import fc from 'fast-check';
import { fieldsOf, hostileText, hostileValue, KNOWN_IDS } from './values.js';

export interface FuzzRequest {
  method: string;
  /** With its query string. */
  path: string;
  body?: string;
  headers: Record<string, string>;
}

const MEMORY_FIELDS =
  'type confidence tags importance metadata embedding id timestamp updated_at last_accessed t_valid t_invalid supersedes_memory_id supersede_relation supersede_reason'.split(
    ' ',
  );
const RECALL_FIELDS =
  `query queries embedding limit per_query_limit sort order_by tags exclude_tags tag_mode tag_match start end time_query time context
  language lang active_path context_tags context_types priority_ids auto_decompose expand_relations expand_entities expansion_limit
  expand_min_importance expand_min_strength expand_respect_tags relation_limit state_mode state_debug current_only min_score
  adaptive_floor recency_bias scope_fallback explain max_tokens`.split(/\s+/);
const EDGE_FIELDS = 'type strength reason context confidence resolution observations role timestamp'.split(' ');

const memory = fieldsOf(MEMORY_FIELDS, ['content']);
const edge = fieldsOf(EDGE_FIELDS, ['memory1_id', 'memory2_id']);
const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN_IDS) },
  // A lone half of a character cannot stand in an address.
  { weight: 1, arbitrary: hostileText.map(text => encodeURIComponent(text.toWellFormed()) || 'x') },
);

/** JSON as it may come over the wire: numbers beyond every bound are still numbers there. */
function toJson(value: unknown): string {
  return JSON.stringify(value)?.replaceAll('1e+308', '1e999') ?? 'null';
}

/** A query string of the fields: a list as repeated names, or joined by commas. */
function toQuery(fields: Record<string, unknown>, isJoined: boolean): string {
  const pairs = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value) && !isJoined) return value.slice(0, 200).map(item => [name, asText(item)]);
    return [[name, asText(value)]];
  });
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? '' : `?${query}`;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every(item => typeof item !== 'object') ? value.join() : toJson(value);
}

const queryOf = (names: readonly string[], required: readonly string[] = []) =>
  fc.tuple(fieldsOf(names, required), fc.boolean()).map(([fields, isJoined]) => toQuery(fields, isJoined));

const bodyOf = (proper: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: proper.map(toJson) },
    { weight: 2, arbitrary: hostileValue.map(toJson) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        '[',
        'null',
        '"x"',
        '{"content":"x"} {}',
        '{"a":1,}',
        `${'['.repeat(50_000)}`,
      ),
    },
  );

interface Shape {
  method: string;
  /** How often it comes, beside 4 for most. */
  weight?: number;
  path: fc.Arbitrary<string>;
  body?: fc.Arbitrary<string>;
}

const batch = fc.oneof(
  fc.array(memory, { maxLength: 4 }),
  fc.record({ memories: fc.array(memory, { maxLength: 4 }) }),
  fc.array(fc.oneof(memory, hostileValue), { maxLength: 4 }),
);
const edges = fc.record({
  associations: fc.array(fc.oneof({ weight: 4, arbitrary: edge }, { weight: 1, arbitrary: hostileValue }), {
    maxLength: 5,
  }),
});

const SHAPES: readonly Shape[] = [
  { method: 'POST', path: fc.constant('/memory'), body: bodyOf(memory) },
  { method: 'POST', path: fc.constant('/memory/batch'), body: bodyOf(batch) },
  { method: 'GET', path: id.map(each => `/memory/${each}`) },
  { method: 'PATCH', path: id.map(each => `/memory/${each}`), body: bodyOf(fieldsOf([...MEMORY_FIELDS, 'content'])) },
  { method: 'DELETE', weight: 1, path: id.map(each => `/memory/${each}`) },
  { method: 'GET', path: queryOf(['limit', 'offset'], ['tags']).map(query => `/memory/by-tag${query}`) },
  { method: 'DELETE', weight: 1, path: queryOf([], ['tags']).map(query => `/memory/by-tag${query}`) },
  { method: 'GET', path: queryOf(RECALL_FIELDS).map(query => `/recall${query}`) },
  { method: 'GET', path: queryOf(RECALL_FIELDS, ['query']).map(query => `/recall${query}`) },
  { method: 'GET', path: queryOf(RECALL_FIELDS, ['id', 'query']).map(query => `/recall/why-not${query}`) },
  { method: 'POST', path: fc.constant('/associate'), body: bodyOf(edge) },
  { method: 'POST', path: fc.constant('/associate'), body: bodyOf(edges) },
  {
    method: 'GET',
    path: fc
      .tuple(id, queryOf(['relationship_types', 'max_depth', 'limit']))
      .map(([each, query]) => `/memories/${each}/related${query}`),
  },
  { method: 'GET', weight: 1, path: fc.constant('/health') },
  { method: 'GET', weight: 1, path: fc.constant('/enrichment/status') },
  {
    method: 'POST',
    path: queryOf(['ids']).map(query => `/enrichment/reprocess${query}`),
    body: bodyOf(fieldsOf(['ids'])),
  },
  {
    method: 'POST',
    path: fc.constant('/admin/sync'),
    body: bodyOf(fieldsOf(['batch_size', 'dry_run', 'remove_orphans'])),
  },
  {
    method: 'POST',
    weight: 1,
    path: fc.constant('/admin/reembed'),
    body: bodyOf(fieldsOf(['batch_size', 'limit', 'force'])),
  },
];

/** How often a request is something else than what its route wants. */
const odd = fc.record({
  method: fc.oneof(
    { weight: 24, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND') },
  ),
  contentType: fc.oneof(
    { weight: 20, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', '', 'application/json; charset=x', 'multipart/form-data') },
  ),
  adminToken: fc.oneof({ weight: 6, arbitrary: fc.constant('admin') }, { weight: 1, arbitrary: fc.constant('wrong') }),
  pathEnd: fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: hostileText.map(text => `&${encodeURIComponent(text.toWellFormed())}`) },
  ),
});

/** One request of any route. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.oneof(...SHAPES.map(shape => ({ weight: shape.weight ?? 4, arbitrary: fc.constant(shape) }))), odd)
  .chain(([shape, { method, contentType, adminToken, pathEnd }]) =>
    fc.record({ path: shape.path, body: shape.body ?? fc.constant(undefined) }).map(({ path, body }) => {
      const asked = method ?? shape.method;
      const mayHaveBody = asked !== 'GET' && asked !== 'HEAD';
      return {
        method: asked,
        path: path + pathEnd,
        headers: { 'content-type': contentType, 'x-admin-token': adminToken },
        ...(body !== undefined && mayHaveBody && { body }),
      };
    }),
  );
