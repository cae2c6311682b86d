/** The memories that an assistant should know at the start of a conversation. */

import { startupRecallAnswer } from './answers/startup-recall.js';
import { type Access, type Operation, routeOf } from './operation.js';
import { renderStartupRecall } from './render/startup-recall.js';

export function startupRecallOperation(access: Access): Operation {
  return {
    ...routeOf('startupRecall'),
    access,
    tag: 'recall',
    summary: 'Get the memories that an assistant should know at the start of a conversation',
    answers: { 200: startupRecallAnswer },
    failures: [],
    run: async engine => renderStartupRecall(await engine.startupRecall()),
  };
}
