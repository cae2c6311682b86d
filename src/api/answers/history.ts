/** The answer with the former versions of a memory. */
import { z } from 'zod';
import { success } from './common.js';
import { memoryFields, recordFields } from './memory-fields.js';

const versionAnswer = z.strictObject({
  version: z.int().min(1).describe('Number of the version. It counts edits from 1 and never changes'),
  replaced_at: z.string().describe('When an edit replaced this version, ISO 8601 in UTC'),
  changed: z.array(z.string()).describe('Fields that the edit changed; metadata.<key> is a metadata key'),
  content: memoryFields.content,
  type: memoryFields.type,
  confidence: memoryFields.confidence,
  tags: z.array(z.string()).describe('Tags, except tags derived by enrichment'),
  importance: memoryFields.importance,
  metadata: memoryFields.metadata,
  timestamp: memoryFields.timestamp,
  t_valid: recordFields.t_valid,
  t_invalid: recordFields.t_invalid,
  archived: recordFields.archived,
});

export const historyAnswer = z.strictObject({
  status: success,
  memory_id: memoryFields.id,
  versions: z.array(versionAnswer).describe('States of the memory before each of its last ten edits, newest first'),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;
