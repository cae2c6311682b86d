/** The schemas of the interface in JSON Schema 2020-12, which is also that of OpenAPI 3.1. */
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** @param direction `input`: what a caller sends; `output`: what a caller gets */
export function jsonSchemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      // Some clients take the empty schema for one that somebody forgot to write.
      if (isEmpty(made.additionalProperties)) made.additionalProperties = true;
    },
  });
  return jsonSchema;
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
