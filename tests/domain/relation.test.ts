/** Relation types and entries of `relations` arrays (docs/decisions.md, "Relations"). */
import { describe, expect, test } from 'vitest';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, relationEntry } from '../../src/domain/relation.js';
import { idOf, memory, relation } from '../support/records.js';

describe('relation types', () => {
  test('include eleven types for callers and three for the system', () => {
    const systemTypes = RELATION_TYPES.filter(type => !AUTHORABLE_RELATION_TYPES.includes(type));
    expect(AUTHORABLE_RELATION_TYPES).toHaveLength(11);
    expect(systemTypes).toEqual(['SIMILAR_TO', 'PRECEDED_BY', 'DISCOVERED']);
  });
});

describe('an entry of relations', () => {
  test('shows the edge from one end, with the memory at the other end', () => {
    const edge = relation(1, 'PREFERS_OVER', 2, { strength: 0.8, properties: { context: 'work' } });
    const other = { ...memory(2, { content: 'c', type: 'Style', tags: ['t'] }), summary: 's' };
    expect(relationEntry(edge, 'outgoing', other)).toEqual({
      type: 'PREFERS_OVER',
      strength: 0.8,
      direction: 'outgoing',
      context: 'work',
      memory: {
        id: idOf(2),
        content: 'c',
        summary: 's',
        type: 'Style',
        importance: 0.5,
        tags: ['t'],
        timestamp: '2026-03-01T12:00:00.000Z',
      },
      updated_at: '2026-03-01T12:00:00.000Z',
    });
    expect(relationEntry(edge, 'incoming', memory(2)).memory).not.toHaveProperty('summary');
  });

  test('keeps its own fields if the edge has properties of the same names', () => {
    const edge = relation(1, 'LEADS_TO', 2, { properties: { type: 'x', strength: 9, memory: null, direction: 'up' } });
    expect(relationEntry(edge, 'incoming', memory(2))).toMatchObject({
      type: 'LEADS_TO',
      strength: 0.5,
      direction: 'incoming',
      memory: { id: idOf(2) },
    });
  });
});
