/** Answers to edges that callers make. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { authoredPropertyFields, relationType, strength } from './relation.js';

const ends = {
  memory1_id: z.string().describe('Id of the memory the edge leaves'),
  memory2_id: z.string().describe('Id of the memory it leads to'),
};

/** Its own properties stand beside its type and strength. */
export const associationAnswer = z.strictObject({
  ...authoredPropertyFields,
  status: success,
  message: z.string().describe('What was done, in a sentence'),
  ...ends,
  relation_type: relationType,
  strength,
});
export type AssociationAnswer = z.infer<typeof associationAnswer>;

const index = wholeNumber.describe('Position of the item in the request, from 0');

export const associationsAnswer = z.strictObject({
  status: z.enum(['success', 'partial_success']).describe('partial_success: at least one item has failed'),
  created_count: wholeNumber.describe('Edges that were made'),
  failed_count: wholeNumber.describe('Items that failed'),
  succeeded: z
    .array(z.strictObject({ index, ...ends, relation_type: relationType, strength }))
    .describe('Edges that were made, in the order of the items'),
  failed: z
    .array(
      z.strictObject({
        index,
        reason: z.string().describe('Why, in a sentence'),
        field: z.string().optional().describe('The field that cannot be read'),
      }),
    )
    .describe('Items that failed, in their order'),
  summary: z.string().describe('Both counts in a sentence'),
});
export type AssociationsAnswer = z.infer<typeof associationsAnswer>;
