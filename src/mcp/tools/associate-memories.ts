/** The tool `associate_memories`: creates typed relations between memories. */
import { z } from 'zod';
import { isGiven, listFromJson, objectFromJson, optional, type RawInput } from '../../api/input.js';
import { type AssociationRequest, association, readAssociation } from '../../api/relations.js';
import type { EngraphClient } from '../../client/client.js';
import { credentialsInRecord } from '../../credentials.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import { isPlainObject } from '../../domain/json.js';
import { ASSOCIATIONS_MAX } from '../../domain/relation.js';
import type { Tool } from '../handlers.js';

/** The schema of a single association. It refuses unknown keys; `refuseUnknownKeys` refuses them in list items. */
const edge = association.strict();

/** The fields of a list item that are listed. They are described where the same fields of a single relation are. */
const listedItem = z.looseObject({
  memory1_id: z.string(),
  memory2_id: z.string(),
  type: z.string().optional(),
  strength: z.number().optional(),
});

const input = association
  .partial()
  .extend({
    associations: optional(z.array(listedItem).min(1).max(ASSOCIATIONS_MAX)).describe(
      '1 to 500 relations with the fields above, instead of them; each succeeds or fails alone',
    ),
  })
  .strict();

const output = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  relation_type: z.string().optional(),
  strength: z.number().optional(),
  created_count: z.int().optional(),
  failed_count: z.int().optional(),
});

export const associateMemories: Tool = {
  name: 'associate_memories',
  title: 'Associate memories',
  description:
    'Relate two memories: INVALIDATED_BY for a correction (from the old to the new), EVOLVED_INTO for a development ' +
    '(likewise), DERIVED_FROM for a bug fix, PREFERS_OVER for a choice. A memory that leads to another by ' +
    'INVALIDATED_BY or EVOLVED_INTO is no longer recalled as current. Repeating a type between the same two replaces it.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  alwaysLoad: true,
  input,
  unlisted: ['confidence', 'resolution', 'observations', 'pattern_type', 'transformation', 'role', 'timestamp'],
  output,
  async run({ associations, ...fields }, { memory }) {
    const items = listFromJson(associations);
    if (!isGiven(items)) return single(fields, memory);
    const given = Object.keys(fields).filter(name => isGiven(fields[name]));
    if (given.length > 0) {
      throw new MemoryError('invalid', `associations cannot be combined with ${given.join(', ')}`, {
        field: given[0] ?? '',
      });
    }
    return several(items, memory);
  },
};

async function single(fields: RawInput, memory: EngraphClient) {
  readAssociation(fields, edge);
  await refuseCredentials(fields);
  const answer = await memory.associate(fields as AssociationRequest);
  return {
    text: `${answer.message} (${answer.relation_type}, strength ${answer.strength}).`,
    structured: { ...answer, success: true },
  };
}

/**
 * The API parses each item separately, so that one invalid item does not make the others fail. But an unknown key in
 * an item makes the whole call fail.
 */
async function several(given: unknown, memory: EngraphClient) {
  if (!Array.isArray(given)) throw invalidField('associations', 'must be a non-empty array');
  const items = given.map(objectFromJson);
  for (const [index, item] of items.entries()) refuseUnknownKeys(item, index);
  await refuseCredentials(items);
  const answer = await memory.associateMany(items as AssociationRequest[]);
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

function refuseUnknownKeys(item: unknown, index: number): void {
  const known = Object.keys(edge.shape);
  const unknown = isPlainObject(item) ? Object.keys(item).find(key => !known.includes(key)) : undefined;
  if (unknown === undefined) return;
  throw new MemoryError('invalid', `An association does not have a parameter '${unknown}' (item ${index})`, {
    field: unknown,
    hint: `Known parameters are ${known.join(', ')}.`,
  });
}

async function refuseCredentials(given: unknown): Promise<void> {
  const [found] = await credentialsInRecord({ metadata: given });
  if (found === undefined) return;
  throw new MemoryError('invalid', `An association seems to contain a credential (${found.kinds.join(', ')})`, {
    hint: 'No association was created. Leave the secret out and say where it is kept.',
  });
}
