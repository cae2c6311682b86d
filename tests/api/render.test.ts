/** Rendering of values that are hard to produce through a request. */
import { describe, expect, test } from 'vitest';
import { renderHealth } from '../../src/api/health.js';
import { renderReembed } from '../../src/api/maintenance.js';
import { renderStoredMany } from '../../src/api/memories.js';
import { renderWhyNot } from '../../src/api/why-not.js';
import type { ScoreComponents, WhyNotVerdict } from '../../src/domain/recall.js';
import type { HealthReport } from '../../src/domain/reports.js';
import { idOf, memory } from '../support/records.js';

test('durations are rendered with three decimals', () => {
  expect(renderStoredMany({ memories: [], vectors: 'stored', durationMs: 12.345678 }, []).query_time_ms).toBe(12.346);
});

test('a report of many failed memories contains the first ten ids', () => {
  const report = { batchSize: 32, processedCount: 0, memoryCount: 11 };
  const ids = Array.from({ length: 11 }, (_, index) => idOf(index));
  expect(renderReembed({ ...report, failedIds: ids })).toMatchObject({
    failed: 11,
    failed_ids: ids.slice(0, 10),
    failed_ids_truncated: true,
  });
  expect(renderReembed({ ...report, failedIds: ids.slice(1) })).not.toHaveProperty('failed_ids_truncated');
  expect(renderReembed({ ...report, failedIds: [] })).not.toHaveProperty('failed_ids');
});

describe('rendered health', () => {
  const report: HealthReport = {
    reasons: [],
    graph: { name: 'memories', description: 'g', isReachable: true, memoryCount: 3 },
    vectors: { description: 'v', isReachable: true, vectorCount: 3, dimensions: 64 },
    hasLengthMismatch: false,
    consistency: 'inSync',
    embedder: { model: 'm', description: 'e', choiceReason: 'r', configuredDimensions: 64, dimensions: 64 },
    embedding: { embeddedCount: 2, backlog: { pending: 1, inFlight: 2, failed: 4, behindMs: 1_600 } },
    enrichment: { isRunning: false, successes: 5, backlog: null },
    storage: { lastReadMs: null, lastWriteMs: null, recentFailures: 0, integrity: 'sound', freeBytes: null },
    consolidation: { problems: [], openProposals: 2 },
    takenAtMs: 0,
  };

  test('is degraded when there is a reason', () => {
    const reasons = ['The disk is full.'];
    expect(renderHealth({ ...report, reasons })).toMatchObject({ status: 'degraded', reasons });
    expect(renderHealth(report)).not.toHaveProperty('reasons');
  });

  test('counts running embedding work as pending, and unknown work as 0', () => {
    expect(renderHealth(report)).toMatchObject({
      embedding: { status: 'healthy', embedded: 2, pending: 3, failed: 4, behind_seconds: 2 },
      enrichment: { status: 'stopped', queue_depth: 0, pending: 0, processed: 5, behind_seconds: 0 },
      storage: { last_read: null, last_write: null, disk_free_bytes: null },
    });
  });

  test('contains null for unknown vector lengths', () => {
    const vectors = { ...report.vectors, dimensions: null };
    const embedder = { ...report.embedder, dimensions: null };
    expect(renderHealth({ ...report, vectors, embedder }).vector_dimensions).toEqual({
      configured: 64,
      effective: null,
      collection: null,
      mismatch: false,
    });
  });
});

describe('the rendered reason why a recall does not return a memory', () => {
  const zero: ScoreComponents = {
    vector: 0,
    keyword: 0,
    exact: 0,
    importance: 0,
    confidence: 0,
    recency: 0,
    tag: 0,
    relation: 0,
    relevance: 0,
    lexical: 0,
    meaning: 0,
    neighbour: 0,
    context: 0,
    newer: 0,
    inherited: 0,
  };
  const answerTo = (verdict: WhyNotVerdict) =>
    renderWhyNot({
      query: { query: 'tea', limit: 5, tags: ['x'], exclude_tags: [], tag_mode: 'all', tag_match: 'prefix' },
      scored: {
        memory: memory(1, { t_valid: '2030-01-01T00:00:00.000Z', t_invalid: '2031-01-01T00:00:00.000Z' }),
        score: 0.12345678,
        matchType: 'keyword',
        matchScore: 0,
        components: zero,
        foundBy: [],
      },
      explanation: { weights: zero, contributions: zero, terms: [], propagatedFrom: [], isSaidByAnother: false },
      verdict,
      rank: 7,
    });

  test.each<[WhyNotVerdict, string, string]>([
    [{ reason: 'returned', place: 2 }, 'returned', 'It is returned, as result 2.'],
    [
      { reason: 'overBudget' },
      'ranked_too_low',
      'Better results leave too little of max_tokens for it; raise max_tokens.',
    ],
    [{ reason: 'filteredByTags', tagKeys: ['x', 'y'] }, 'filtered_by_tags', 'It does not have all of the tags x, y.'],
    [{ reason: 'archived' }, 'archived', 'It is archived; state_mode=history shows it.'],
    [{ reason: 'notYetValid' }, 'not_yet_valid', 'It is valid only from 2030-01-01T00:00:00.000Z on.'],
    [
      { reason: 'expired' },
      'expired',
      'It has not been valid since 2031-01-01T00:00:00.000Z; state_mode=history shows it.',
    ],
    [
      { reason: 'superseded', successorId: 'b', relationType: 'EVOLVED_INTO' },
      'superseded',
      'Memory b has replaced it (EVOLVED_INTO); state_mode=history shows both.',
    ],
    [
      { reason: 'duplicate', twinId: 'b' },
      'duplicate',
      'It was merged into memory b, which has the same text and tags.',
    ],
    [
      { reason: 'weakEdge', strength: 0.3 },
      'kept_out_of_expansion',
      'Its edge to a result has the strength 0.3, below expand_min_strength.',
    ],
    [{ reason: 'lowImportance' }, 'kept_out_of_expansion', 'Its importance, 0.5, is below expand_min_importance.'],
    [{ reason: 'belowThreshold' }, 'below_threshold', 'Its score 0.123457 is below the threshold.'],
    [
      { reason: 'listedLater', sort: 'time_desc' },
      'ranked_too_low',
      'Other memories precede it in the order time_desc; raise limit.',
    ],
    [
      { reason: 'rankedLater', candidateCount: 9 },
      'ranked_too_low',
      'It has rank 7 of 9 candidates; raise limit, or use words that it contains.',
    ],
  ])('is correct for %j', (verdict, reason, message) => {
    expect(answerTo(verdict)).toMatchObject({ reason, message, returned: reason === 'returned' });
  });

  test('is a sentence for each reason whose exact text is not tested above', () => {
    const reasons = ['filteredByExcludedTags', 'filteredByTime', 'behindOtherEntities', 'behindOtherEdges'] as const;
    for (const reason of [...reasons, 'noCandidate', 'noEvidence'] as const) {
      expect(answerTo({ reason }).message, reason).toMatch(/^[A-Z].*\.$/);
    }
  });
});
