/** Random requests to every route of the REST interface, with hostile values. */
import fc from 'fast-check';
import { z } from 'zod';
import type { Operation } from '../../src/api/operation.js';
import { fieldsOf, hostileText, hostileValue, KNOWN_IDS } from './values.js';

export interface FuzzRequest {
  /** The operation that the request was made for. */
  operation: Operation;
  method: string;
  /** The path with the query string. */
  path: string;
  body?: string;
  headers: Record<string, string>;
}

const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN_IDS) },
  // A lone surrogate cannot be part of an address.
  { weight: 1, arbitrary: hostileText.map(text => encodeURIComponent(text.toWellFormed()) || 'x') },
);

/** JSON as it may arrive over the network, where a number may be too large for a double. */
function toJson(value: unknown): string {
  return JSON.stringify(value)?.replaceAll('1e+308', '1e999') ?? 'null';
}

const LIST_FORMS = ['joined', 'repeated', 'brackets', 'indexed', 'json'] as const;
type ListForm = (typeof LIST_FORMS)[number];

/** A query string with the fields. A list becomes one text or repeated names. */
function toQuery(fields: Record<string, unknown>, form: ListForm): string {
  const pairs = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (form === 'json' && Array.isArray(value)) return [[name, toJson(value)]];
    if (!Array.isArray(value) || form === 'joined') return [[name, asText(value)]];
    const nameOf = (index: number) => (form === 'repeated' ? name : `${name}[${form === 'indexed' ? index : ''}]`);
    return value.slice(0, 200).map((item, index) => [nameOf(index), asText(item)]);
  });
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? '' : `?${query}`;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every(item => typeof item !== 'object') ? value.join() : toJson(value);
}

const queryOf = (names: readonly string[], required: readonly string[] = []) =>
  fc.tuple(fieldsOf(names, required), fc.constantFrom(...LIST_FORMS)).map(([fields, form]) => toQuery(fields, form));

const bodyOf = (proper: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: proper.map(toJson) },
    { weight: 1, arbitrary: proper.map(value => toJson(toJson(value))) },
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

/** Generators for the parts of a request for an operation. */
interface Shape {
  operation: Operation;
  path: fc.Arbitrary<string>;
  body: fc.Arbitrary<string | undefined>;
}

/** Parameters of recall that are read although no schema lists them. */
const UNLISTED = ['time', 'lang', 'file_path', 'focus_path', 'expand', 'entity_expansion', 'relation_expansion_limit'];
/** Weights of frequent and rare operations. Deletions are rare, because otherwise hardly any memory would be found. */
const WEIGHT = 4;
const RARE_WEIGHT = 1;
const RARE = new Set(['remove', 'removeByTag', 'health', 'workStatus', 'reembed']);

function shapeOf(operation: Operation): Shape {
  const { path, query, body } = operation;
  const { required, names } = query ? fieldNames(query) : { required: [], names: [] };
  const asked = operation.name === 'recall' ? [...names, ...UNLISTED] : names;
  return {
    operation,
    path: fc
      .tuple(id, query ? queryOf(asked, required) : fc.constant(''))
      .map(([each, search]) => path.replace(':id', each) + search),
    body: body ? bodyOf(properBody(body)) : fc.constant(undefined),
  };
}

function fieldNames({ shape }: z.ZodObject): { names: string[]; required: string[] } {
  const names = Object.keys(shape);
  return { names, required: names.filter(name => !shape[name]?.safeParse(undefined).success) };
}

/** Bodies with values for the fields of a schema. */
function properBody(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(option => properBody(option as z.ZodType)));
  if (schema instanceof z.ZodArray) {
    const item = properBody(schema.element as z.ZodType);
    return fc.array(fc.oneof({ weight: 4, arbitrary: item }, { weight: 1, arbitrary: hostileValue }), { maxLength: 5 });
  }
  if (!(schema instanceof z.ZodObject)) return hostileValue;
  const [list] = Object.entries(schema.shape).filter(([, field]) => field instanceof z.ZodArray);
  if (list) return fc.record({ [list[0]]: properBody(list[1] as z.ZodType) });
  const { names, required } = fieldNames(schema);
  return fieldsOf(names, required);
}

/** Parts of a request that sometimes deviate from the form that its route expects. */
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

/** One request for any operation. */
export function fuzzRequests(operations: readonly Operation[]): fc.Arbitrary<FuzzRequest> {
  const shapes = operations.map(operation => ({
    weight: RARE.has(operation.name) ? RARE_WEIGHT : WEIGHT,
    arbitrary: fc.constant(shapeOf(operation)),
  }));
  return fc.tuple(fc.oneof(...shapes), odd).chain(([shape, { method, contentType, adminToken, pathEnd }]) =>
    fc.record({ path: shape.path, body: shape.body }).map(({ path, body }) => {
      const asked = method ?? shape.operation.method;
      const mayHaveBody = asked !== 'GET' && asked !== 'HEAD';
      return {
        operation: shape.operation,
        method: asked,
        path: path + pathEnd,
        headers: { 'content-type': contentType, 'x-admin-token': adminToken },
        ...(body !== undefined && mayHaveBody && { body }),
      };
    }),
  );
}
