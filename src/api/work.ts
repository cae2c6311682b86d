/** The background work: its state, and enriching memories again. */

import { reprocessAnswer, workStatusAnswer } from './answers/work.js';
import { type Operation, routeOf } from './operation.js';
import { renderReprocessing, renderWorkStatus } from './render/work.js';
import { readReprocessing, reprocessRequest } from './requests/maintenance.js';

export const workStatusOperation: Operation = {
  ...routeOf('workStatus'),
  access: 'token',
  tag: 'service',
  summary: 'Get the state, counts and language model usage of enrichment',
  answers: { 200: workStatusAnswer },
  needsNoPlace: true,
  failures: [],
  run: async engine => renderWorkStatus(await engine.workStatus()),
};

export const reprocessOperation: Operation = {
  ...routeOf('reprocess'),
  access: 'admin',
  tag: 'service',
  summary: 'Enrich memories again',
  query: reprocessRequest,
  body: reprocessRequest,
  isBodyOptional: true,
  answers: { 202: reprocessAnswer },
  failures: ['invalid'],
  run: async (engine, { body, query }) => renderReprocessing(await engine.reprocess(readReprocessing(body, query))),
};
