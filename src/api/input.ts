/** Parses untrusted input with the schemas of the interface. The first error is reported in one sentence. */
import { z } from 'zod';
import { invalidField, MemoryError } from '../domain/errors.js';
import type { InputLimits } from '../domain/input-limits.js';
import { isPlainObject } from '../domain/json.js';

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

/** An optional field. Null counts as absent, because models that must fill in every field send null. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  // The outer `optional` allows a missing key. The inner `optional` allows undefined, to which null is converted.
  return z.preprocess(value => value ?? undefined, schema.optional()).optional();
}

/** An optional parameter. Blank text counts as absent. */
export function parameter<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(value => (isGiven(value) ? value : undefined), schema.optional()).optional();
}

/** A field with a default value. */
export function withDefault<Value>(schema: z.ZodType<Value>, fallback: Value) {
  const copy = () => structuredClone(fallback);
  return z
    .preprocess(value => value ?? undefined, schema.optional())
    .transform(value => value ?? copy())
    .meta({ default: fallback })
    .optional()
    .transform(value => value ?? copy());
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

/**
 * Parses an object.
 *
 * @param what name of the object, for the error message about input that is not an object
 * @throws MemoryError `invalid` naming the first invalid field, as the caller spelled it
 */
export function readObject<Schema extends z.ZodObject>(schema: Schema, raw: unknown, what: string): z.output<Schema> {
  if (!isPlainObject(raw)) throw new MemoryError('invalid', `${what} must be a JSON object`);
  const { input, spelling } = underOwnNames(schema, raw);
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

function knownOf(names: readonly string[]): string {
  return names.length === 0 ? 'It takes no parameters.' : `Known parameters are ${names.join(', ')}.`;
}

function refusal(schema: z.ZodObject, error: z.ZodError, spelling: ReadonlyMap<string, string>): MemoryError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return new MemoryError('invalid', `The parameter '${key}' does not exist`, {
      field: key,
      hint: knownOf(Object.keys(schema.shape)),
    });
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
  for (const [field, fieldSchema] of fieldsWithOtherNames(schema)) {
    const names = OTHER_NAMES.get(fieldSchema)?.names ?? [];
    const given = isGiven(raw[field]) ? undefined : names.find(name => isGiven(raw[name]));
    if (!names.some(name => name in raw)) continue;
    if (given !== undefined) spelling.set(field, given);
    const others = Object.entries(input).filter(([name]) => !names.includes(name));
    input = Object.fromEntries(given === undefined ? others : [...others, [field, raw[given]]]);
  }
  return { input, spelling };
}

const found = new WeakMap<z.ZodObject, [string, z.ZodType][]>();

function fieldsWithOtherNames(schema: z.ZodObject): [string, z.ZodType][] {
  const known = found.get(schema);
  if (known) return known;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).filter(([, field]) =>
    OTHER_NAMES.has(field),
  );
  found.set(schema, fields);
  return fields;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}
