/** Examples for the API tag "relations": requests and their answers, written by `npm run build:examples`. */
import type { Example } from '../operation.js';

export const EXAMPLES: readonly Example[] = [
  {
    operation: 'associate',
    body: {
      memory1_id: '22222222-2222-4222-8222-222222222222',
      memory2_id: '11111111-1111-4111-8111-111111111111',
      type: 'LEADS_TO',
      strength: 0.8,
    },
    status: 201,
    answer: {
      status: 'success',
      message:
        'Association created between 22222222-2222-4222-8222-222222222222 and 11111111-1111-4111-8111-111111111111',
      memory1_id: '22222222-2222-4222-8222-222222222222',
      memory2_id: '11111111-1111-4111-8111-111111111111',
      relation_type: 'LEADS_TO',
      strength: 0.8,
    },
  },
  {
    operation: 'related',
    params: { id: '11111111-1111-4111-8111-111111111111' },
    status: 200,
    answer: {
      status: 'success',
      memory_id: '11111111-1111-4111-8111-111111111111',
      count: 1,
      related_memories: [
        {
          id: '22222222-2222-4222-8222-222222222222',
          content: 'Tenants once saw the bills of other tenants.',
          type: 'Context',
          importance: 0.5,
          confidence: 0.3,
          tags: ['billing'],
          timestamp: '2026-03-01T12:00:00.000Z',
          depth: 1,
          relation: {
            type: 'LEADS_TO',
            strength: 0.8,
            direction: 'incoming',
            memory: {
              id: '22222222-2222-4222-8222-222222222222',
              content: 'Tenants once saw the bills of other tenants.',
              type: 'Context',
              importance: 0.5,
              tags: ['billing'],
              timestamp: '2026-03-01T12:00:00.000Z',
            },
            updated_at: '2026-03-01T12:00:00.000Z',
          },
        },
      ],
      relationship_types: [
        'CONTRADICTS',
        'DERIVED_FROM',
        'EVOLVED_INTO',
        'EXEMPLIFIES',
        'INVALIDATED_BY',
        'LEADS_TO',
        'OCCURRED_BEFORE',
        'PART_OF',
        'PREFERS_OVER',
        'REINFORCES',
        'RELATES_TO',
      ],
      max_depth: 1,
      limit: 5,
    },
  },
];
