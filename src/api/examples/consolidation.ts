/** Examples for the API tag "consolidation": requests and their answers, written by `npm run build:examples`. */
import type { Example } from '../operation.js';

export const EXAMPLES: readonly Example[] = [
  {
    operation: 'consolidate',
    body: { mode: 'decay', dry_run: false },
    status: 200,
    answer: {
      status: 'success',
      consolidation: {
        updates: 1,
        duration_seconds: 0,
        run_id: '66666666-6666-4666-8666-666666666666',
        change_count: 1,
        changes: [
          {
            kind: 'relevance',
            memory_ids: ['44444444-4444-4444-8444-444444444444'],
            reason: 'relevance begins at 0.030',
            numbers: {
              relevance: 0.03,
              age_days: 1035.5,
              idle_days: 1035.5,
              relations: 0,
              importance: 0.1,
              confidence: 0.6,
            },
            before: null,
            after: 0.03,
          },
        ],
      },
    },
  },
  {
    operation: 'consolidationStatus',
    status: 200,
    answer: {
      status: 'success',
      next_runs: {
        decay: '2026-03-02T12:00:00.000Z',
        creative: '2026-03-08T12:00:00.000Z',
        cluster: '2026-03-31T12:00:00.000Z',
        forget: null,
      },
      history: [
        {
          run_id: '66666666-6666-4666-8666-666666666666',
          task: 'decay',
          timestamp: '2026-03-01T12:00:00.000Z',
          duration_seconds: 0,
          updates: 1,
          state: 'done',
          change_count: 1,
        },
      ],
      thread_alive: true,
      tick_seconds: 60,
      proposals: 1,
      binned: 0,
    },
  },
  {
    operation: 'consolidationRun',
    params: { id: '66666666-6666-4666-8666-666666666666' },
    status: 200,
    answer: {
      status: 'success',
      run: {
        run_id: '66666666-6666-4666-8666-666666666666',
        task: 'decay',
        timestamp: '2026-03-01T12:00:00.000Z',
        duration_seconds: 0,
        updates: 1,
        state: 'done',
        change_count: 1,
      },
      changes: [
        {
          kind: 'relevance',
          memory_ids: ['44444444-4444-4444-8444-444444444444'],
          reason: 'relevance begins at 0.030',
          numbers: {
            relevance: 0.03,
            age_days: 1035.5,
            idle_days: 1035.5,
            relations: 0,
            importance: 0.1,
            confidence: 0.6,
          },
          before: null,
          after: 0.03,
        },
      ],
      next_page: null,
    },
  },
  {
    operation: 'undoConsolidation',
    body: { run_id: '66666666-6666-4666-8666-666666666666' },
    status: 200,
    answer: { status: 'success', run_id: '66666666-6666-4666-8666-666666666666', undone: 1, skipped: 0 },
  },
  {
    operation: 'consolidate',
    body: { mode: 'forget', dry_run: false },
    status: 200,
    answer: {
      status: 'success',
      consolidation: {
        forgotten: 1,
        duration_seconds: 0,
        run_id: '77777777-7777-4777-8777-777777777777',
        change_count: 1,
        changes: [
          {
            kind: 'delete',
            memory_ids: ['44444444-4444-4444-8444-444444444444'],
            reason: 'relevance 0.030 lies below the delete threshold 0.05',
            numbers: {
              relevance: 0.03,
              age_days: 1035.5,
              idle_days: 1035.5,
              relations: 0,
              importance: 0.1,
              confidence: 0.6,
              threshold: 0.05,
            },
          },
        ],
      },
    },
  },
  {
    operation: 'bin',
    status: 200,
    answer: {
      status: 'success',
      memories: [
        {
          id: '44444444-4444-4444-8444-444444444444',
          content: 'The printer jams on Mondays.',
          deleted_at: '2026-03-01T12:00:00.000Z',
          reason: 'relevance 0.030 lies below the delete threshold 0.05',
        },
      ],
    },
  },
  {
    operation: 'restore',
    body: { ids: ['44444444-4444-4444-8444-444444444444'] },
    status: 200,
    answer: { status: 'success', restored: ['44444444-4444-4444-8444-444444444444'], unknown: [] },
  },
  {
    operation: 'proposals',
    status: 200,
    answer: {
      status: 'success',
      proposals: [
        {
          id: '55555555-5555-4555-8555-555555555555',
          kind: 'duplicate',
          older_id: '22222222-2222-4222-8222-222222222222',
          newer_id: '33333333-3333-4333-8333-333333333333',
          reason: 'both say nearly the same',
          numbers: { similarity: 0.97 },
          state: 'open',
          older_content: 'Tenants once saw the bills of other tenants.',
          newer_content: 'Maria prefers short commits.',
        },
      ],
    },
  },
  {
    operation: 'settleProposal',
    params: { id: '55555555-5555-4555-8555-555555555555' },
    body: { action: 'dismiss' },
    status: 200,
    answer: {
      status: 'success',
      proposal: {
        id: '55555555-5555-4555-8555-555555555555',
        kind: 'duplicate',
        older_id: '22222222-2222-4222-8222-222222222222',
        newer_id: '33333333-3333-4333-8333-333333333333',
        reason: 'both say nearly the same',
        numbers: { similarity: 0.97 },
        state: 'dismissed',
      },
    },
  },
];
