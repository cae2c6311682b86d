/** A short story of requests whose answers stand in the OpenAPI document. */
import type { Example } from '../../src/api/operation.js';

const DECISION = '11111111-1111-4111-8111-111111111111';
const CAUSE = '22222222-2222-4222-8222-222222222222';
const STYLE = '33333333-3333-4333-8333-333333333333';

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
        { id: CAUSE, content: 'Tenants once saw each other.', tags: ['billing'] },
        { id: STYLE, content: 'Maria prefers short commits.', tags: ['maria', 'ai-assistant'] },
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
  { operation: 'startupRecall' },
  { operation: 'reprocess', body: { ids: [DECISION] } },
  { operation: 'sync', body: { dry_run: true } },
  { operation: 'reembed', body: { limit: 1, force: true } },
  { operation: 'remove', params: { id: CAUSE } },
  { operation: 'removeByTag', query: { tags: 'maria' } },
];
