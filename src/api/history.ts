/** The edits of a memory: showing them, and taking them back. */
import { z } from 'zod';
import type { MemoryHistory } from '../domain/history.js';
import { memoryFields, recordFields, success } from './answer-fields.js';
import { ordinal } from './fields.js';
import { readObject } from './input.js';
import { changeAnswer, renderChange } from './memories.js';
import { memoryIdIn, type Operation, routeOf } from './operation.js';

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

const historyAnswer = z.strictObject({
  status: success,
  memory_id: memoryFields.id,
  versions: z.array(versionAnswer).describe('States of the memory before each of its last ten edits, newest first'),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;

const restoreVersionRequest = z.object({
  version: ordinal.describe('Number of the version, from the history of the memory'),
});

export const historyOperations: readonly Operation[] = [
  {
    ...routeOf('history'),
    access: 'token',
    tag: 'memories',
    summary: 'List up to ten former states of a memory, newest first',
    answers: { 200: historyAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const id = memoryIdIn(request);
      return renderHistory(id, await engine.history(id));
    },
  },
  {
    ...routeOf('restoreVersion'),
    access: 'token',
    tag: 'memories',
    summary: 'Take back the edit that replaced a version, and all later edits',
    body: restoreVersionRequest,
    answers: { 200: changeAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const id = memoryIdIn(request);
      const { version } = readObject(restoreVersionRequest, request.body, 'The body');
      return renderChange((await engine.restoreVersion(id, version)).id);
    },
  },
];

function renderHistory(id: string, { versions }: MemoryHistory): HistoryAnswer {
  return {
    status: 'success',
    memory_id: id,
    versions: versions.map(({ number, replacedAt, changed, fields }) => ({
      version: number,
      replaced_at: replacedAt,
      changed: [...changed],
      ...fields,
      tags: [...fields.tags],
    })),
  };
}
