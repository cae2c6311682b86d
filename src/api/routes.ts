/** Method and path of every operation, by its name. The client needs no more of the operations than these. */

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Route {
  method: Method;
  /** Parameters are written as `:name`. */
  path: string;
}

const get = (path: string): Route => ({ method: 'GET', path });
const post = (path: string): Route => ({ method: 'POST', path });

export const ROUTES = {
  health: get('/health'),
  workStatus: get('/enrichment/status'),
  analyze: get('/analyze'),
  credentials: get('/analyze/credentials'),
  startupRecall: get('/startup-recall'),
  projects: get('/projects'),
  noteProject: post('/projects'),
  reprocess: post('/enrichment/reprocess'),
  reembed: post('/admin/reembed'),
  sync: post('/admin/sync'),
  consolidate: post('/consolidate'),
  consolidationStatus: get('/consolidate/status'),
  consolidationRun: get('/consolidate/runs/:id'),
  undoConsolidation: post('/consolidate/undo'),
  bin: get('/admin/bin'),
  restore: post('/admin/restore'),
  proposals: get('/consolidate/proposals'),
  settleProposal: post('/consolidate/proposals/:id'),
  recall: get('/recall'),
  whyNot: get('/recall/why-not'),
  hookSessionStart: post('/hooks/session-start'),
  hookPrompt: post('/hooks/prompt'),
  hookStop: post('/hooks/stop'),
  hookPreCompact: post('/hooks/pre-compact'),
  hookSessionEnd: post('/hooks/session-end'),
  hookTry: get('/hooks/try'),
  hookLog: get('/hooks/log'),
  associate: post('/associate'),
  related: get('/memories/:id/related'),
  listByTag: get('/memory/by-tag'),
  removeByTag: { method: 'DELETE', path: '/memory/by-tag' },
  store: post('/memory'),
  storeMany: post('/memory/batch'),
  get: get('/memory/:id'),
  update: { method: 'PATCH', path: '/memory/:id' },
  remove: { method: 'DELETE', path: '/memory/:id' },
  history: get('/memory/:id/history'),
  restoreVersion: post('/memory/:id/restore'),
  exportPage: get('/admin/export'),
  importPage: post('/admin/import'),
} as const satisfies Record<string, Route>;

export type OperationName = keyof typeof ROUTES;
