/** The edits of a memory: showing them, and taking them back. */
import { z } from 'zod';
import { historyAnswer } from './answers/history.js';
import { changeAnswer } from './answers/memory.js';
import { ordinal } from './fields.js';
import { readObject } from './input.js';
import { memoryIdIn, type Operation, routeOf } from './operation.js';
import { renderHistory } from './render/history.js';
import { renderChange } from './render/memory.js';

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
