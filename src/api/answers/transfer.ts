/** Answers to requests that export or import one page of records. */
import { z } from 'zod';
import { memoryLine, nodeLine } from '../requests/transfer.js';
import { success, wholeNumber } from './common.js';

export const exportPageAnswer = z.strictObject({
  status: success,
  records: z
    .array(z.union([memoryLine, nodeLine]))
    .describe('Each record is a memory with its outgoing edges, or another node'),
  next: z.string().optional().describe('Value of `after` for the next page; absent on the last page'),
});
export type ExportPageAnswer = z.infer<typeof exportPageAnswer>;

const arrivalFields = {
  created: wholeNumber.describe('Number of records created'),
  updated: wholeNumber.describe('Number of older records that were updated'),
  unchanged: wholeNumber.describe('Number of identical existing records'),
  kept: wholeNumber.describe('Number of newer records kept'),
};

export const importPageAnswer = z.strictObject({
  status: z.enum(['success', 'dry_run']).describe('dry_run: nothing was written'),
  memories: z.strictObject(arrivalFields).describe('Memories of the page'),
  nodes: z.strictObject(arrivalFields).describe('Nodes of the page'),
  edges: z
    .strictObject({ ...arrivalFields, left_out: wholeNumber.describe('Number of edges with a missing end') })
    .describe('Edges of the page'),
  credentials: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the memory, or kind and id of the node'),
        kinds: z.array(z.string()).describe('Kinds of credentials, such as GITHUB TOKEN'),
      }),
    )
    .describe('Memories and nodes that were left out, because they seem to contain a credential'),
});
export type ImportPageAnswer = z.infer<typeof importPageAnswer>;
