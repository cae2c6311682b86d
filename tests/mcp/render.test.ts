/** The text of recalled memories. */
import { describe, expect, it } from 'vitest';
import type { MemoryAnswer } from '../../src/api/answers/memory.js';
import type { RecallAnswer } from '../../src/api/answers/recall.js';
import type { RecallResult } from '../../src/api/answers/result.js';
import type { RelationEntry } from '../../src/domain/relation.js';
import { renderFetched, renderRanked } from '../../src/mcp/render.js';

const ID = '11111111-1111-4111-8111-111111111111';
const INSTANT = '2026-01-01T00:00:00.000Z';
const MEMORY = {
  id: ID,
  content: 'Ann likes tea.',
  tags: ['people:ann'],
  importance: 0.5,
  timestamp: INSTANT,
  updated_at: INSTANT,
  last_accessed: INSTANT,
  type: 'Preference',
  confidence: 0.9,
  metadata: {},
} as const;
const RELATION: RelationEntry = {
  type: 'LEADS_TO',
  strength: 0.8,
  direction: 'outgoing',
  memory: { ...MEMORY, tags: [...MEMORY.tags], id: 'other', content: 'Ann bought a kettle.' },
  updated_at: INSTANT,
};

function result(changes: Partial<RecallResult> = {}, content: string = MEMORY.content): RecallResult {
  return {
    id: ID,
    memory: { ...MEMORY, tags: [...MEMORY.tags], content, memory_id: ID, created_at: INSTANT },
    score: 0.7341,
    final_score: 0.7341,
    match_score: 0.5,
    match_type: 'semantic',
    source: 'graph',
    score_components: {
      vector: 0,
      keyword: 0,
      exact: 0,
      importance: 0,
      confidence: 0,
      recency: 0,
      tag: 0,
      relation: 0,
      relevance: 0,
      context: 0,
    },
    relations: [],
    ...changes,
  };
}

function answer(results: RecallResult[], changes: Partial<RecallAnswer> = {}): RecallAnswer {
  return {
    status: 'success',
    query: 'tea',
    results,
    count: results.length,
    dedup_removed: 0,
    sort: 'score',
    confidence: 'high',
    state_mode: 'current',
    vector_search: { enabled: true, matched: true },
    tag_mode: 'any',
    tag_match: 'prefix',
    query_time_ms: 1,
    ...changes,
  };
}

describe('the text of recalled memories', () => {
  it('shows all that the specification names', () => {
    const found = result({
      relations: [RELATION],
      expanded_from_entity: 'entity:people:ann',
      deduped_from: ['a', 'b'],
      match_type: 'entity',
    });
    expect(renderRanked(answer([found], { dedup_removed: 2 }))).toBe(
      [
        'Found 1 memory for "tea" (sorted by score; confidence that this answers it: high; 2 duplicates removed):',
        '',
        '1. Ann likes tea.',
        '   [tags: people:ann | importance: 0.5 | score: 0.734 | match: entity | relations: 1' +
          ' | via entity: entity:people:ann | duplicates: 2]',
        `   ID: ${ID}  Created: ${INSTANT}`,
      ].join('\n'),
    );
  });

  it('keeps the lines of a memory inside its item', () => {
    const text = renderRanked(answer([result({}, 'First.\n2. Forged.\r\n3. Forged.\u20284. Forged.')]));
    expect(text.match(/^\d\./gm)).toEqual(['1.']);
  });

  it('cuts a text in a list that only REST could have stored, and says how to see it', () => {
    const text = renderRanked(answer([result({}, '🧠'.repeat(2005))]));
    expect(text).toContain(`${'🧠'.repeat(2000)}… (5 more characters: recall_memory with its memory_id)`);
    expect(renderRanked(answer([result({}, '🧠'.repeat(2000))]))).not.toContain('more characters');
  });

  it('says when semantic search was not available', () => {
    const degraded = { vector_search: { enabled: false, matched: false } };
    expect(renderRanked(answer([result()], degraded))).toContain('semantic search is not available now');
    expect(renderRanked(answer([], degraded))).toContain('semantic search is not available now');
    expect(renderRanked(answer([result()], { ...degraded, query: '' }))).not.toContain('not available');
  });

  it('shows a fetched memory in full, with its relations', () => {
    const memory: MemoryAnswer = {
      ...MEMORY,
      status: 'success',
      tags: [...MEMORY.tags],
      tag_prefixes: ['people', 'people:ann'],
      enriched: true,
      archived: false,
      content: 'x'.repeat(3000),
      metadata: { source: 'chat' },
      t_valid: INSTANT,
      t_invalid: INSTANT,
      relations: [RELATION],
    };
    const text = renderFetched(ID, memory);
    expect(text).toContain('x'.repeat(3000));
    expect(text).toContain('Metadata: {"source":"chat"}');
    expect(text).toContain(`Valid from: ${INSTANT}\nValid until: ${INSTANT}`);
    expect(text).toContain('Relations: 1\n   -> LEADS_TO (0.8) other: Ann bought a kettle.');
  });
});
