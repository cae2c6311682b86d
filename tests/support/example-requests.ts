/** A short sequence of requests whose answers appear in the OpenAPI document. */

import type { Example } from '../../src/api/operation.js';
import { proposalNode } from '../../src/consolidation/proposals.js';

const DECISION = '11111111-1111-4111-8111-111111111111';
const CAUSE = '22222222-2222-4222-8222-222222222222';
const STYLE = '33333333-3333-4333-8333-333333333333';
const PRINTER = '44444444-4444-4444-8444-444444444444';
const PROPOSAL = '55555555-5555-4555-8555-555555555555';
/** Fixed ids that replace the random ids of the runs, in order. */
export const RUN_IDS = ['66666666-6666-4666-8666-666666666666', '77777777-7777-4777-8777-777777777777'];

/** These settings make the sequence forget a memory. With the defaults it would forget no memory. */
export const EXAMPLE_SETTINGS = { CONSOLIDATION_DELETE_THRESHOLD: '0.05', CONSOLIDATION_MAX_CHANGE_SHARE: '0.25' };

/** A proposal that is stored before the sequence begins. */
export const EXAMPLE_PROPOSAL = proposalNode(
  {
    id: PROPOSAL,
    kind: 'duplicate',
    olderId: CAUSE,
    newerId: STYLE,
    reason: 'both say nearly the same',
    numbers: { similarity: 0.97 },
  },
  { state: 'open', at: '2026-03-01T12:00:00.000Z' },
);

export const EXAMPLE_REQUESTS: readonly Omit<Example, 'status' | 'answer'>[] = [
  {
    operation: 'store',
    body: {
      id: DECISION,
      content: 'We chose PostgreSQL for billing because of its row-level security.',
      type: 'Decision',
      tags: ['project:billing', 'database'],
      importance: 0.9,
    },
  },
  {
    operation: 'storeMany',
    body: {
      memories: [
        { id: CAUSE, content: 'Tenants once saw the bills of other tenants.', tags: ['billing'] },
        { id: STYLE, content: 'Maria prefers short commits.', tags: ['maria', 'ai-assistant'] },
        { id: PRINTER, content: 'The printer jams on Mondays.', importance: 0.1, timestamp: '2023-05-01' },
      ],
    },
  },
  { operation: 'recall', query: { query: 'the database of billing', tags: 'project:billing', limit: '1' } },
  { operation: 'whyNot', query: { query: 'database', id: STYLE, limit: '1' } },
  {
    operation: 'associate',
    body: { memory1_id: CAUSE, memory2_id: DECISION, type: 'LEADS_TO', strength: 0.8 },
  },
  { operation: 'get', params: { id: STYLE } },
  { operation: 'related', params: { id: DECISION } },
  { operation: 'update', params: { id: STYLE }, body: { importance: 0.8, metadata: { source: 'review' } } },
  { operation: 'listByTag', query: { tags: 'maria' } },
  { operation: 'workStatus' },
  { operation: 'analyze' },
  { operation: 'credentials' },
  { operation: 'startupRecall' },
  { operation: 'noteProject', body: { project: 'acme/billing', former_projects: ['billing'] } },
  { operation: 'projects' },
  { operation: 'hookSessionStart', body: { session_id: 'a-conversation', cwd: '/home/ann/billing' } },
  {
    operation: 'hookPrompt',
    body: { session_id: 'a-conversation', cwd: '/home/ann/billing', prompt: 'How does Maria prefer her commits?' },
  },
  {
    operation: 'hookStop',
    body: {
      session_id: 'a-conversation',
      last_assistant_message: 'Maria prefers them short.',
      stop_hook_active: false,
    },
  },
  { operation: 'hookPreCompact', body: { session_id: 'a-conversation' } },
  { operation: 'hookTry', query: { prompt: 'Why did we choose PostgreSQL for billing?' } },
  { operation: 'hookSessionEnd', body: { session_id: 'a-conversation' } },
  { operation: 'hookLog', query: { session_id: 'a-conversation' } },
  { operation: 'reprocess', body: { ids: [DECISION] } },
  { operation: 'consolidate', body: { mode: 'decay', dry_run: false } },
  { operation: 'consolidationStatus' },
  { operation: 'consolidationRun', params: { id: RUN_IDS[0] ?? '' } },
  { operation: 'undoConsolidation', body: { run_id: RUN_IDS[0] } },
  { operation: 'consolidate', body: { mode: 'forget', dry_run: false } },
  { operation: 'bin' },
  { operation: 'restore', body: { ids: [PRINTER] } },
  { operation: 'proposals' },
  { operation: 'settleProposal', params: { id: PROPOSAL }, body: { action: 'dismiss' } },
  { operation: 'sync', body: { dry_run: true } },
  { operation: 'reembed', body: { limit: 1, force: true } },
  { operation: 'exportPage', query: { part: 'memories', limit: '1' } },
  {
    operation: 'importPage',
    body: {
      records: [
        {
          memory: {
            id: '88888888-8888-4888-8888-888888888888',
            content: 'Invoices leave on Fridays.',
            type: 'Context',
            confidence: 0.3,
            tags: ['billing'],
            importance: 0.5,
            metadata: {},
            timestamp: '2026-01-05T10:00:00.000Z',
            updated_at: '2026-01-05T10:00:00.000Z',
            last_accessed: '2026-01-05T10:00:00.000Z',
            enriched: false,
            archived: false,
          },
          work: ['enrich'],
          relations: [],
          links: [],
        },
      ],
      dry_run: true,
    },
  },
  { operation: 'history', params: { id: STYLE } },
  { operation: 'restoreVersion', params: { id: STYLE }, body: { version: 1 } },
  { operation: 'remove', params: { id: CAUSE } },
  { operation: 'removeByTag', query: { tags: 'maria' } },
];
