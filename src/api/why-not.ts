/** Explains why a recall does not return a memory, as a name and as a sentence. */

import type { InputLimits } from '../domain/input-limits.js';
import { whyNotAnswer } from './answers/why-not.js';
import { memoryId } from './fields.js';
import { readField } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderWhyNot } from './render/why-not.js';
import { readRecall, recallParameters } from './requests/recall.js';

export function whyNotOperation(limits: InputLimits): Operation {
  return {
    ...routeOf('whyNot'),
    access: 'token',
    tag: 'recall',
    summary: 'Explain which filter or rank keeps a memory out of the results',
    query: recallParameters(limits).extend({ id: memoryId.describe('Id (UUID) of the memory') }),
    answers: { 200: whyNotAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, { query: { id, ...parameters } }) => {
      const missed = readField(memoryId, id, 'id');
      return renderWhyNot(await engine.whyNot(readRecall(parameters, limits), missed));
    },
  };
}
