/** Recalls: the search for the memories that answer a question. */
import { z } from 'zod';
import type { InputLimits } from '../domain/input-limits.js';
import { memoryAnswer } from './answers/memory.js';
import { recallAnswer } from './answers/recall.js';
import { memoryId } from './fields.js';
import { isGiven, optional, readField } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderMemory } from './render/memory.js';
import { renderRecall } from './render/recall.js';
import { readRecall, recallParameters } from './requests/recall.js';
import { withWholeTags } from './whole-tags.js';

export function recallOperation(limits: InputLimits): Operation {
  return {
    ...routeOf('recall'),
    access: 'token',
    tag: 'recall',
    summary: 'Search memories, best first',
    query: recallParameters(limits).extend({
      memory_id: optional(memoryId).describe('Answers like GET /memory/:id; all other parameters are ignored'),
    }),
    // AutoMem's client sends the parameters of its tool.
    ignoredQuery: ['format', 'offset'],
    answers: { 200: z.union([recallAnswer, memoryAnswer]) },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const { memory_id: id } = request.query;
      if (isGiven(id)) return renderMemory(await engine.get(readField(memoryId, id, 'memory_id')));
      const asked = await withWholeTags(engine, request.query);
      const answer = renderRecall(await engine.recall(readRecall(asked, limits)));
      // The engine treats `*` as no query, but the answer shows the query as the caller sent it.
      return request.query.query === '*' ? { ...answer, query: '*' } : answer;
    },
  };
}
