/** Answers to requests that create edges. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { authoredPropertyFields, relationType, strength } from './relation.js';

const ends = {
  memory1_id: z.string().describe('Id of the memory that the edge starts from'),
  memory2_id: z.string().describe('Id of the memory that the edge leads to'),
};

/** Type, strength and properties of the edge are top-level fields of the answer. */
export const associationAnswer = z.strictObject({
  ...authoredPropertyFields,
  status: success,
  message: z.string().describe('The result in a sentence'),
  ...ends,
  relation_type: relationType,
  strength,
});
export type AssociationAnswer = z.infer<typeof associationAnswer>;

const index = wholeNumber.describe('Position of the item in the request, from 0');

export const associationsAnswer = z.strictObject({
  status: z.enum(['success', 'partial_success']).describe('partial_success: at least one item failed'),
  created_count: wholeNumber.describe('Number of edges created'),
  failed_count: wholeNumber.describe('Number of items that failed'),
  succeeded: z
    .array(z.strictObject({ index, ...ends, relation_type: relationType, strength }))
    .describe('The created edges, in the order of the request'),
  failed: z
    .array(
      z.strictObject({
        index,
        reason: z.string().describe('Why the item failed, in a sentence'),
        field: z.string().optional().describe('The invalid field'),
      }),
    )
    .describe('The failed items, in the order of the request'),
  summary: z.string().describe('Number of created edges and number of items, in a sentence'),
});
export type AssociationsAnswer = z.infer<typeof associationsAnswer>;
