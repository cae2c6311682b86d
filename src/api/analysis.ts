/** Analyses of all memories together, and the search for credentials, which reads them page by page. */

import { analysisAnswer } from './answers/analysis.js';
import { credentialsAnswer } from './answers/credentials.js';
import { readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderAnalysis } from './render/analysis.js';
import { renderCredentials } from './render/credentials.js';
import { credentialPage, toCredentialScan } from './requests/credentials.js';

export const analysisOperations: readonly Operation[] = [
  {
    ...routeOf('analyze'),
    access: 'token',
    tag: 'service',
    summary: 'Analyse all memories together; a value that cannot be determined is null',
    answers: { 200: analysisAnswer },
    failures: [],
    run: async engine => renderAnalysis(await engine.analyze()),
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
      return renderCredentials(await engine.credentials(page));
    },
  },
];
