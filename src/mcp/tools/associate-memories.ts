/** The tool `associate_memories`: says how memories belong together. */
import { z } from 'zod';
import { associationAnswer, associationsAnswer } from '../../api/answers/association.js';
import { optional, type RawInput } from '../../api/input.js';
import { renderAssociation, renderAssociations } from '../../api/render/association.js';
import { association, readAssociation, readAssociations } from '../../api/requests/association.js';
import { ASSOCIATIONS_MAX } from '../../domain/association.js';
import { MemoryError } from '../../domain/errors.js';
import type { Engine } from '../../engine/engine.js';
import type { Tool } from '../tool.js';

/** Unknown keys are refused, in an item of the list too. */
const edge = association.strict();

const input = association
  .partial()
  .extend({
    associations: optional(z.array(edge).min(1).max(ASSOCIATIONS_MAX)).describe(
      'Several at once, instead of the fields above; each succeeds or fails by itself',
    ),
  })
  .strict();

const output = z.looseObject({
  ...associationAnswer.pick({ message: true }).shape,
  ...associationAnswer.pick({ relation_type: true, strength: true }).partial().shape,
  ...associationsAnswer.pick({ created_count: true, failed_count: true }).partial().shape,
  success: z.boolean(),
});

export const associateMemories = (): Tool => ({
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
  // An item that cannot be read must not fail the others, so that each is read by itself.
  async run({ associations: items, ...fields }, { engine }) {
    if (items === undefined || items === null) return single(fields, engine);
    const given = Object.keys(fields).filter(name => fields[name] !== undefined && fields[name] !== null);
    if (given.length > 0) {
      throw new MemoryError('invalid', `associations cannot be combined with ${given.join(', ')}`, {
        field: given[0] ?? '',
      });
    }
    return several(items, engine);
  },
});

async function single(fields: RawInput, engine: Engine) {
  const answer = renderAssociation(await engine.associate(readAssociation(fields, edge)));
  return {
    text: `${answer.message} (${answer.relation_type}, strength ${answer.strength}).`,
    structured: { ...answer, success: true },
  };
}

async function several(items: unknown, engine: Engine) {
  const answer = renderAssociations(await engine.associateMany(readAssociations(items, edge)));
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
