/** Embedding memories again, and comparing the stores (docs/decisions.md, "Comparing the stores"). */

import { reembedAnswer, syncAnswer } from './answers/maintenance.js';
import { readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderReembed, renderSync } from './render/maintenance.js';
import { reembedRequest, syncRequest, toReembedRequest, toSyncRequest } from './requests/maintenance.js';

export const maintenanceOperations: readonly Operation[] = [
  {
    ...routeOf('reembed'),
    access: 'admin',
    tag: 'service',
    summary: 'Embed memories again, newest first',
    body: reembedRequest,
    isBodyOptional: true,
    answers: { 200: reembedAnswer },
    needsNoPlace: true,
    failures: ['invalid', 'conflict'],
    run: async (engine, { body }) =>
      renderReembed(
        await engine.reembed(toReembedRequest(readObject(reembedRequest, body === undefined ? {} : body, 'The body'))),
      ),
  },
  {
    ...routeOf('sync'),
    access: 'admin',
    tag: 'service',
    summary: 'Compare the two stores and repair the vector store, or only report the differences',
    body: syncRequest,
    isBodyOptional: true,
    answers: { 200: syncAnswer },
    needsNoPlace: true,
    failures: ['invalid', 'conflict'],
    run: async (engine, { body }) =>
      renderSync(await engine.sync(toSyncRequest(readObject(syncRequest, body === undefined ? {} : body, 'The body')))),
  },
];
