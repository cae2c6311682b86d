/** Converts the schemas of the interface to JSON Schema 2020-12, which OpenAPI 3.1 also uses. */
import { z } from 'zod';

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
