/** The operations that analyse the whole memory. */
import { analysisAnswer } from './answers/analysis.js';
import { startupRecallAnswer } from './answers/startup-recall.js';
import type { Access, Operation } from './operation.js';
import { renderAnalysis } from './render/analysis.js';
import { renderStartupRecall } from './render/startup-recall.js';

/** @param startupAccess who may call the startup recall */
export function insightOperations(startupAccess: Access): Operation[] {
  return [
    {
      name: 'analyze',
      method: 'GET',
      path: '/analyze',
      access: 'token',
      tag: 'service',
      summary: 'Analyse all memories together; a part that cannot be determined is null',
      answers: { 200: analysisAnswer },
      failures: [],
      run: async engine => ({ status: 200, body: renderAnalysis(await engine.analyze()) }),
    },
    {
      name: 'startupRecall',
      method: 'GET',
      path: '/startup-recall',
      access: startupAccess,
      tag: 'recall',
      summary: 'Get the memories that an assistant should know at the start of a conversation',
      answers: { 200: startupRecallAnswer },
      failures: [],
      run: async engine => ({ status: 200, body: renderStartupRecall(await engine.startupRecall()) }),
    },
  ];
}
