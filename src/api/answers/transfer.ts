/** Answers to requests for a page of an export, and to a page of an import. */
import { z } from 'zod';
import { memoryLine, nodeLine } from '../requests/transfer.js';
import { success, wholeNumber } from './common.js';

export const exportPageAnswer = z.strictObject({
  status: success,
  records: z
    .array(z.union([memoryLine, nodeLine]))
    .describe('Each with a memory and the edges that begin at it, or with another node'),
  next: z.string().optional().describe('Value of `after` for the page that follows; absent on the last page'),
});
export type ExportPageAnswer = z.infer<typeof exportPageAnswer>;

const arrivalFields = {
  created: wholeNumber.describe('Records that were not there'),
  updated: wholeNumber.describe('Records that were there in an earlier state'),
  unchanged: wholeNumber.describe('Records that were there in the same state'),
  kept: wholeNumber.describe('Records whose later state was kept'),
};

export const importPageAnswer = z.strictObject({
  status: z.enum(['success', 'dry_run']).describe('dry_run: nothing was written'),
  memories: z.strictObject(arrivalFields).describe('Memories of the page'),
  nodes: z.strictObject(arrivalFields).describe('Nodes of the page'),
  edges: z
    .strictObject({ ...arrivalFields, left_out: wholeNumber.describe('Edges of which one end does not exist') })
    .describe('Edges of the page'),
});
export type ImportPageAnswer = z.infer<typeof importPageAnswer>;
