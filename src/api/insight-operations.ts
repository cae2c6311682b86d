/** The operations that look at the memory as a whole. */
import { analysisAnswer } from './answers/analysis.js';
import { startupRecallAnswer } from './answers/startup-recall.js';
import type { Access, Operation } from './operation.js';
import { renderAnalysis } from './render/analysis.js';
import { renderStartupRecall } from './render/startup-recall.js';

/** @param startupAccess who may ask what to know at the start */
export function insightOperations(startupAccess: Access): Operation[] {
  return [
    {
      name: 'analyze',
      method: 'GET',
      path: '/analyze',
      access: 'token',
      tag: 'service',
      summary: 'Say what the memories look like together; a part that cannot be found out is null',
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
      summary: 'Say what an assistant should know before anything is asked',
      answers: { 200: startupRecallAnswer },
      failures: [],
      run: async engine => ({ status: 200, body: renderStartupRecall(await engine.startupRecall()) }),
    },
  ];
}
