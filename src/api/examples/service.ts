/** Examples for the API tag "service": requests and their answers, written by `npm run build:examples`. */
import type { Example } from '../operation.js';

export const EXAMPLES: readonly Example[] = [
  {
    operation: 'workStatus',
    status: 200,
    answer: {
      status: 'running',
      queue_size: 0,
      pending: 0,
      inflight: 0,
      max_attempts: 3,
      stats: {
        processed_total: 4,
        successes: 4,
        failures: 0,
        failed: 0,
        last_success_id: '44444444-4444-4444-8444-444444444444',
        last_success_at: '2026-03-01T12:00:00.000Z',
        last_error: null,
        last_error_at: null,
      },
      classification: { pattern_classifications: 2, llm_attempts: 0, llm_successes: 0, fallbacks: 1, last_error: null },
      language_model: null,
    },
  },
  {
    operation: 'analyze',
    status: 200,
    answer: {
      status: 'success',
      analytics: {
        memory_types: {
          Context: { count: 1, average_confidence: 0.3 },
          Decision: { count: 1, average_confidence: 0.9 },
          Habit: { count: 1, average_confidence: 0.6 },
          Preference: { count: 1, average_confidence: 0.6 },
        },
        patterns: [],
        preferences: [],
        temporal_insights: { hour_00: { count: 1, avg_importance: 0.1 }, hour_12: { count: 3, avg_importance: 0.733 } },
        entity_frequency: { Maria: 1, PostgreSQL: 1 },
        confidence_distribution: { low: 1, medium: 2, high: 1 },
      },
    },
  },
  { operation: 'credentials', status: 200, answer: { status: 'success', findings: [], scanned: 4, next: null } },
  {
    operation: 'reprocess',
    body: { ids: ['11111111-1111-4111-8111-111111111111'] },
    status: 202,
    answer: { status: 'queued', count: 1, ids: ['11111111-1111-4111-8111-111111111111'] },
  },
  {
    operation: 'sync',
    body: { dry_run: true },
    status: 200,
    answer: {
      status: 'dry_run',
      falkordb_count: 4,
      qdrant_count: 4,
      missing_count: 0,
      orphaned_count: 0,
      missing_sample: [],
      orphaned_sample: [],
    },
  },
  {
    operation: 'reembed',
    body: { limit: 1, force: true },
    status: 200,
    answer: { status: 'complete', processed: 1, failed: 0, total: 4, batch_size: 32, metadata_preserved: true },
  },
  {
    operation: 'exportPage',
    query: { part: 'memories', limit: '1' },
    status: 200,
    answer: {
      status: 'success',
      records: [
        {
          memory: {
            id: '11111111-1111-4111-8111-111111111111',
            content: 'We chose PostgreSQL for billing because of its row-level security.',
            type: 'Decision',
            confidence: 0.9,
            importance: 0.9,
            timestamp: '2026-03-01T12:00:00.000Z',
            updated_at: '2026-03-01T12:00:00.000Z',
            last_accessed: '2026-03-01T12:00:00.000Z',
            enriched: true,
            archived: false,
            tags: ['project:billing', 'database', 'entity:tools:postgresql'],
            metadata: { enriched_at: '2026-03-01T12:00:00.000Z', entities: { tools: ['PostgreSQL'] } },
          },
          work: [],
          relations: [],
          links: [],
        },
      ],
      next: '11111111-1111-4111-8111-111111111111',
    },
  },
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
    status: 200,
    answer: {
      status: 'dry_run',
      memories: { created: 1, updated: 0, unchanged: 0, kept: 0 },
      nodes: { created: 0, updated: 0, unchanged: 0, kept: 0 },
      edges: { created: 0, updated: 0, unchanged: 0, kept: 0, left_out: 0 },
    },
  },
];
