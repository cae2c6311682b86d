/** The tool `associate_memories`: says how memories belong together. */
import { z } from 'zod';
import { renderAssociation, renderAssociations } from '../../api/render/association.js';
import { ASSOCIATIONS_MAX, attemptAssociation, parseAssociation } from '../../domain/association.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import { AUTHORABLE_RELATION_TYPES } from '../../domain/relation.js';
import type { Engine } from '../../engine/engine.js';
import { optionally, unitNumber } from '../input-fields.js';
import { defineTool } from '../tool.js';

const text = () => optionally(z.string());

const edgeFields = {
  memory1_id: text().describe('Id (UUID) of the memory the edge leaves'),
  memory2_id: text().describe('Id (UUID) of the memory it leads to'),
  type: text().describe(`One of ${AUTHORABLE_RELATION_TYPES.join(', ')}; RELATES_TO by default`),
  strength: optionally(unitNumber).describe('0-1; 0.5 by default'),
  reason: text().describe('Why, for PREFERS_OVER, CONTRADICTS, INVALIDATED_BY and EVOLVED_INTO'),
  context: text().describe('In which context, for PREFERS_OVER and PART_OF'),
  confidence: optionally(unitNumber).describe('How sure, for EXEMPLIFIES, EVOLVED_INTO and DERIVED_FROM'),
  resolution: text().describe('How it was resolved, for CONTRADICTS'),
  observations: optionally(z.union([z.number(), z.string()])).describe('How often it was seen, for REINFORCES'),
  pattern_type: text().describe('For EXEMPLIFIES'),
  transformation: text().describe('What was done to it, for DERIVED_FROM'),
  role: text().describe('For PART_OF'),
  timestamp: text().describe('Since when, ISO 8601, for INVALIDATED_BY'),
};

const edge = z.strictObject(edgeFields);
/** Listed with all its fields, but read later: an item that cannot be read must not fail the others. */
const { $schema: _dialect, ...edgeSchema } = z.toJSONSchema(edge, { io: 'input' });
const listedEdge = z.unknown().meta(edgeSchema);

const input = z.strictObject({
  ...edgeFields,
  associations: optionally(z.array(listedEdge).min(1).max(ASSOCIATIONS_MAX)).describe(
    'Several at once, instead of the fields above; each succeeds or fails by itself',
  ),
});

const output = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  relation_type: z.string().optional(),
  strength: z.number().optional(),
  created_count: z.number().optional(),
  failed_count: z.number().optional(),
});

export const associateMemories = defineTool({
  name: 'associate_memories',
  title: 'Associate memories',
  description:
    'Say how two memories belong together: a correction by INVALIDATED_BY (from the old to the new), a bug fix by ' +
    'DERIVED_FROM, a choice by PREFERS_OVER, a development by EVOLVED_INTO, otherwise RELATES_TO, LEADS_TO, PART_OF and ' +
    'others. What INVALIDATED_BY and EVOLVED_INTO leave is no longer recalled as current. Repeating a type between the ' +
    'same two memories replaces the edge.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  alwaysLoad: true,
  input,
  output,
  async handle({ associations, ...fields }, { engine }) {
    if (associations === undefined) return single(fields, engine);
    const given = Object.keys(fields);
    if (given.length > 0) {
      throw new MemoryError('invalid', `associations cannot be combined with ${given.join(', ')}`, {
        field: given[0] ?? '',
      });
    }
    return several(associations, engine);
  },
});

async function single(fields: Record<string, unknown>, engine: Engine) {
  const answer = renderAssociation(await engine.associate(parseAssociation(fields)));
  return {
    text: `${answer.message} (${answer.relation_type}, strength ${answer.strength}).`,
    structured: { ...answer, success: true },
  };
}

async function several(associations: readonly unknown[], engine: Engine) {
  const answer = renderAssociations(
    await engine.associateMany(associations.map(item => attemptAssociation(() => parseAssociation(readEdge(item))))),
  );
  const failures = answer.failed.map(({ index, reason }) => `  item ${index}: ${reason}`);
  const lines = [
    `${answer.summary}.`,
    `Created: ${answer.created_count}`,
    `Failed: ${answer.failed_count}`,
    ...failures,
  ];
  return {
    text: lines.join('\n'),
    structured: { ...answer, success: answer.failed_count === 0, message: answer.summary },
  };
}

function readEdge(item: unknown): Record<string, unknown> {
  const { data, error } = edge.safeParse(item);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw invalidField(issue?.path.join('.') || 'associations', issue?.message ?? 'is not valid');
}
