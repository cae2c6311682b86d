/** The operations that show the edits of a memory, and take them back. */
import { z } from 'zod';
import { historyAnswer } from './answers/history.js';
import { changeAnswer } from './answers/memory.js';
import { memoryId, ordinal } from './fields.js';
import { readField, readObject } from './input.js';
import { type Operation, type RawRequest, routeOf } from './operation.js';
import { renderHistory } from './render/history.js';
import { renderChange } from './render/memory.js';

const restoreVersionRequest = z.object({
  version: ordinal.describe('Number of the version, from the history of the memory'),
});

export function historyOperations(): Operation[] {
  return [
    {
      ...routeOf('history'),
      access: 'token',
      tag: 'memories',
      summary: 'List up to ten former states of a memory, newest first',
      answers: { 200: historyAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => {
        const id = idIn(request);
        return { status: 200, body: renderHistory(id, await engine.history(id)) };
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
        const id = idIn(request);
        const { version } = readObject(restoreVersionRequest, request.body, 'The body');
        return { status: 200, body: renderChange((await engine.restoreVersion(id, version)).id) };
      },
    },
  ];
}

function idIn({ params }: RawRequest): string {
  return readField(memoryId, params.id, 'memory_id');
}
