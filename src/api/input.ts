/**
 * Parses untrusted input with the schemas of the interface. The first error is reported in one sentence. Decides which
 * values count as not given, and which lists and objects may arrive as JSON text, for tools, bodies and query strings
 * alike (docs/decisions.md, "Empty values and JSON text").
 */
import { z } from 'zod';
import { invalidField, MemoryError } from '../domain/errors.js';
import { type InputLimits, nearestName } from '../domain/input.js';
import { isPlainObject, parseExactly } from '../domain/json.js';
import { beginningOf } from '../domain/text/characters.js';

/** Wraps `make` so that it creates only one schema for each set of limits. */
export function perLimits<Schema>(make: (limits: InputLimits) => Schema): (limits: InputLimits) => Schema {
  const made = new WeakMap<InputLimits, { schema: Schema }>();
  return limits => {
    const known = made.get(limits);
    if (known) return known.schema;
    const schema = make(limits);
    made.set(limits, { schema });
    return schema;
  };
}

/** Input values by name. A value is a text from a query string, an array of texts for a repeated key, or JSON. */
export type RawInput = Readonly<Record<string, unknown>>;

/**
 * A field of a request. `plain` first converts the input to the form that `schema` describes, so that one schema serves
 * query strings, JSON bodies, tool calls and the OpenAPI document.
 */
export function lenient<Schema extends z.ZodType>(plain: (value: unknown) => unknown, schema: Schema) {
  return z.preprocess(plain, schema);
}

/**
 * Whether a value says something. Clients fill fields that they want to leave out with null, with blank text, or with an
 * empty list or object.
 */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** An optional field. A value that says nothing counts as absent. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  // The outer `optional` allows a missing key. The inner `optional` allows undefined, to which other values are
  // converted. An empty list may also be the result of reading, for example of the text "[]".
  return z
    .preprocess(value => (isGiven(value) ? value : undefined), schema.optional())
    .transform(value => (isGiven(value) ? value : undefined))
    .optional();
}

/**
 * A list of texts that replaces another list. Unlike in `optional`, an empty list is a value, and empties the other list.
 * Blank texts say nothing, even if they are items of a list: a client that fills fields must not empty the other list.
 */
export function replacement<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(value => (isBlankList(value) ? undefined : value), schema.optional()).optional();
}

/** Whether a value stands for one or more texts that are all blank. An empty list is not blank. */
function isBlankList(value: unknown): boolean {
  const list = listFromJson(value);
  if (typeof list === 'string') return /^[\s,]*$/.test(list);
  if (!Array.isArray(list)) return !isGiven(list);
  return list.length > 0 && list.every(item => typeof item === 'string' && item.trim() === '');
}

/** A field that null removes. Blank text counts as absent. */
export function removable<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess(value => (value === null || isGiven(value) ? value : undefined), schema.nullable().optional())
    .optional();
}

/** A field with a default value. */
export function withDefault<Value>(schema: z.ZodType<Value>, fallback: Value) {
  const copy = () => structuredClone(fallback);
  return z
    .preprocess(value => (isGiven(value) ? value : undefined), schema.optional())
    .transform(value => value ?? copy())
    .meta({ default: fallback })
    .optional()
    .transform(value => value ?? copy());
}

/**
 * Returns the list that a value stands for: JSON text of a list, also as the only item of a list. Any other value is
 * returned unchanged.
 */
export function listFromJson(value: unknown): unknown {
  const text = onlyText(value);
  const read = text === undefined ? undefined : fromJson(text, '[');
  // The text may be encoded twice. Every round shortens it.
  return Array.isArray(read) ? listFromJson(read) : value;
}

/** Returns a text, or the only item of a list if it is a text. */
export function onlyText(value: unknown): string | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' ? only : undefined;
}

/** Returns the object that a value stands for: JSON text of an object. Any other value is returned unchanged. */
export function objectFromJson(value: unknown): unknown {
  const read = typeof value === 'string' ? fromJson(value, '{') : undefined;
  return isPlainObject(read) ? read : value;
}

/** Parsing a longer text would delay other requests. It is long enough for every batch of the tool. */
const JSON_TEXT_MAX_LENGTH = 4_194_304;

/** Parses a text if it begins like JSON of the kind. Undefined if it does not, or is not valid. */
function fromJson(text: string, opening: '[' | '{'): unknown {
  if (text.length > JSON_TEXT_MAX_LENGTH || !text.trimStart().startsWith(opening)) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/**
 * Other names under which a field is accepted. A value under the field's own name takes precedence, then the first
 * other name with a value. The other names are for clients of other services, so published schemas do not list them.
 */
const OTHER_NAMES = z.registry<{ names: readonly string[] }>();

export function alsoNamed<Schema extends z.ZodType>(schema: Schema, ...names: string[]): Schema {
  OTHER_NAMES.add(schema, { names });
  return schema;
}

/** Requests that a tool has read already, with a schema that has the same fields as the schema of the operation. */
const READ = new WeakSet<object>();

/** Lets `readObject` return a request as it is, so that the request of a tool is read only once in this process. */
export function alreadyRead<Request extends object>(request: Request): Request {
  READ.add(request);
  return request;
}

/**
 * Parses an object.
 *
 * @param what name of the object, for the error message about input that is not an object
 * @throws MemoryError `invalid` naming the first invalid field, as the caller spelled it
 */
export function readObject<Schema extends z.ZodObject>(schema: Schema, raw: unknown, what: string): z.output<Schema> {
  const given = objectFromJson(raw);
  if (!isPlainObject(given)) throw new MemoryError('invalid', `${what} must be a JSON object`);
  if (READ.has(given)) return given as z.output<Schema>;
  const { input, spelling } = underOwnNames(schema, given);
  const { data, error } = schema.safeParse(input);
  if (error) throw refusal(schema, error, spelling);
  return data;
}

/**
 * Parses one value.
 *
 * @throws MemoryError `invalid` naming `field`
 */
export function readField<Schema extends z.ZodType>(schema: Schema, value: unknown, field: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw invalidField(field, error.issues[0]?.message ?? 'is not valid');
  return data as z.output<Schema>;
}

const SHOWN_NAME_LENGTH = 100;

/** The error for a parameter that does not exist. It names the nearest known parameter, or all of them. */
function unknownParameter(name: string, known: readonly string[]): MemoryError {
  const nearest = nearestName(name, known);
  const field = beginningOf(name, SHOWN_NAME_LENGTH);
  const message = `The parameter '${field}' does not exist`;
  if (nearest !== undefined) return new MemoryError('invalid', `${message}; did you mean '${nearest}'?`, { field });
  const hint = known.length === 0 ? 'It takes no parameters.' : `Known parameters are ${known.join(', ')}.`;
  return new MemoryError('invalid', message, { field, hint });
}

/** All names under which the fields of a schema are accepted. */
function namesOf(schema: z.ZodObject): string[] {
  return [...Object.keys(schema.shape), ...otherNamesIn(schema).flatMap(([, names]) => names)];
}

function refusal(schema: z.ZodObject, error: z.ZodError, spelling: ReadonlyMap<string, string>): MemoryError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return unknownParameter(key, Object.keys(schema.shape));
  }
  const field = String(issue?.path[0] ?? '');
  return invalidField(spelling.get(field) ?? field, issue?.message ?? 'is not valid');
}

/**
 * Renames each field that the caller gave under another name. `spelling` maps the field's own name to the name that the
 * caller used.
 */
function underOwnNames(schema: z.ZodObject, raw: RawInput): { input: RawInput; spelling: Map<string, string> } {
  const spelling = new Map<string, string>();
  let input = raw;
  for (const [field, names] of otherNamesIn(schema)) {
    for (const name of names) {
      if (!(name in raw)) continue;
      const { [name]: value, ...others } = input;
      const isUsed = isGiven(value) && !isGiven(others[field]);
      input = isUsed ? { ...others, [field]: value } : others;
      if (isUsed) spelling.set(field, name);
    }
  }
  return { input, spelling };
}

const otherNames = new WeakMap<z.ZodObject, (readonly [field: string, names: readonly string[]])[]>();

/** The fields of a schema that have other names, with these names. */
function otherNamesIn(schema: z.ZodObject): (readonly [field: string, names: readonly string[]])[] {
  const known = otherNames.get(schema);
  if (known) return known;
  const found = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([field, fieldSchema]) => {
    const names = OTHER_NAMES.get(fieldSchema)?.names;
    return names ? [[field, names] as const] : [];
  });
  otherNames.set(schema, found);
  return found;
}

/** Parameters that every route takes: the tokens (docs/decisions.md, "Tokens"). */
const TOKENS: readonly string[] = ['api_key', 'admin_token'];
/** Clients write the items of a list as `name[]` or `name[0]`. */
const LIST_ITEM = /^(?<name>[^[\]]+)\[(?<index>\d*)\]$/;

export interface QueryRules {
  /** Describes the parameters. Undefined if the route takes none. */
  schema?: z.ZodObject | undefined;
  /** Further parameters, which the schema does not describe. */
  further?: readonly string[] | undefined;
}

/**
 * Returns the values by name: a text, or an array of texts for a name that occurs several times.
 *
 * @throws MemoryError `invalid` naming an unknown parameter and the nearest known one
 */
export function readParameters(search: URLSearchParams, { schema, further = [] }: QueryRules): RawInput {
  const listed = schema ? Object.keys(schema.shape) : [];
  const known = new Set([...(schema ? namesOf(schema) : []), ...further, ...TOKENS]);
  const values = new Map<string, { index: number; value: string }[]>();
  for (const [written, value] of search) {
    const { name = written, index = '' } = LIST_ITEM.exec(written)?.groups ?? {};
    if (!known.has(name)) throw unknownParameter(written, listed);
    const items = values.get(name) ?? [];
    items.push({ index: Number(index), value });
    values.set(name, items);
  }
  return Object.fromEntries([...values].map(([name, items]) => [name, inOrder(items)]));
}

/** The order of a list matters for a vector. Items without an index keep their order. */
function inOrder(items: readonly { index: number; value: string }[]): string | string[] {
  const texts = items.toSorted((a, b) => a.index - b.index).map(({ value }) => value);
  const [first = ''] = texts;
  return texts.length > 1 ? texts : first;
}

/** Replaces the arguments in a message that was just parsed. The SDK would refuse all but an object. */
export function readToolArguments(message: unknown): void {
  if (!isPlainObject(message) || message.method !== 'tools/call') return;
  const { params } = message;
  if (!isPlainObject(params) || !('arguments' in params)) return;
  params.arguments = isGiven(params.arguments) ? objectFromJson(params.arguments) : {};
}

export type JsonSchema = Record<string, unknown>;

/** @param direction `input`: schemas of requests; `output`: schemas of answers */
export function jsonSchemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      // Some clients treat the empty schema as a missing schema.
      if (isEmpty(made.additionalProperties)) made.additionalProperties = true;
    },
  });
  return jsonSchema;
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
