/** The operations that analyse the whole memory. */
import { analysisAnswer } from './answers/analysis.js';
import { credentialsAnswer } from './answers/credentials.js';
import { startupRecallAnswer } from './answers/startup-recall.js';
import { readObject } from './input.js';
import { type Access, type Operation, routeOf } from './operation.js';
import { projectOperations } from './project-operations.js';
import { renderAnalysis } from './render/analysis.js';
import { renderCredentials } from './render/credentials.js';
import { renderStartupRecall } from './render/startup-recall.js';
import { credentialPage, toCredentialScan } from './requests/credentials.js';

/** @param startupAccess who may call the startup recall */
export function insightOperations(startupAccess: Access): Operation[] {
  return [
    {
      ...routeOf('analyze'),
      access: 'token',
      tag: 'service',
      summary: 'Analyse all memories together; a value that cannot be determined is null',
      answers: { 200: analysisAnswer },
      failures: [],
      run: async engine => ({ status: 200, body: renderAnalysis(await engine.analyze()) }),
    },
    {
      ...routeOf('credentials'),
      access: 'token',
      tag: 'service',
      summary: 'Read a page of all memories, and list those that seem to contain a credential',
      query: credentialPage,
      answers: { 200: credentialsAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const page = toCredentialScan(readObject(credentialPage, query, 'The query'));
        return { status: 200, body: renderCredentials(await engine.credentials(page)) };
      },
    },
    {
      ...routeOf('startupRecall'),
      access: startupAccess,
      tag: 'recall',
      summary: 'Get the memories that an assistant should know at the start of a conversation',
      answers: { 200: startupRecallAnswer },
      failures: [],
      run: async engine => ({ status: 200, body: renderStartupRecall(await engine.startupRecall()) }),
    },
    ...projectOperations(),
  ];
}
