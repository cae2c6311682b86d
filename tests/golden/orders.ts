/** Expected order and score parts of chosen questions: what a change of weights or evidence does shows here. */
import type { ScoreComponents } from '../../src/domain/answers.js';

export interface ExpectedOrder {
  query: string;
  /** Best first; a part that is not named is 0. */
  results: readonly { name: string; score: number; parts: Partial<ScoreComponents> }[];
}

export const ORDERS: readonly ExpectedOrder[] = [
  {
    query: 'Which database does Lanternfish use?',
    results: [
      {
        name: 'test-containers',
        score: 0.627,
        parts: {
          vector: 0.218,
          keyword: 0.881,
          exact: 0.2,
          importance: 0.75,
          confidence: 0.9,
          recency: 0.155,
          tag: 0.333,
          relevance: 1,
        },
      },
      {
        name: 'deadlock-inventory',
        score: 0.578,
        parts: { keyword: 0.666, importance: 0.85, confidence: 0.9, recency: 0.819, tag: 0.667, relevance: 1 },
      },
      {
        name: 'db-postgres',
        score: 0.513,
        parts: {
          keyword: 0.571,
          exact: 0.2,
          importance: 0.95,
          confidence: 0.9,
          recency: 0.001,
          tag: 0.667,
          relevance: 1,
        },
      },
      {
        name: 'queue-redis',
        score: 0.487,
        parts: { keyword: 0.688, exact: 0.2, importance: 0.95, confidence: 0.9, tag: 0.333, relevance: 1 },
      },
    ],
  },
  {
    query: 'How much is the rent?',
    results: [
      {
        name: 'garden-11',
        score: 0.525,
        parts: {
          vector: 0.119,
          keyword: 0.4,
          exact: 0.8,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.885,
          relevance: 1,
        },
      },
      {
        name: 'landlord-new',
        score: 0.432,
        parts: {
          vector: 0.032,
          keyword: 0.467,
          exact: 0.4,
          importance: 0.65,
          confidence: 0.9,
          recency: 0.677,
          relevance: 1,
        },
      },
      {
        name: 'garden-12',
        score: 0.393,
        parts: { vector: 0.065, keyword: 0.533, importance: 0.5, confidence: 0.9, recency: 0.885, relevance: 1 },
      },
    ],
  },
  {
    query: 'parseHttpResponse',
    results: [
      {
        name: 'parse-response',
        score: 0.823,
        parts: { vector: 0.374, keyword: 1, exact: 1, importance: 0.8, confidence: 0.9, recency: 0.172, relevance: 1 },
      },
    ],
  },
  {
    query: 'rate limit 429 Retry-After',
    results: [
      {
        name: 'rate-limit-copy',
        score: 0.739,
        parts: { vector: 0.496, keyword: 1, exact: 0.4, importance: 0.5, confidence: 0.9, tag: 0.2, relevance: 1 },
      },
      {
        name: 'rate-limit',
        score: 0.42,
        parts: { vector: 0.086, keyword: 0.572, exact: 0.4, importance: 0.65, confidence: 0.9, relevance: 1 },
      },
      {
        name: 'unicode-slug',
        score: 0.292,
        parts: {
          vector: 0.055,
          keyword: 0.154,
          exact: 0.2,
          importance: 0.4,
          confidence: 0.9,
          recency: 0.938,
          relevance: 1,
        },
      },
    ],
  },
  {
    query: 'What is Mila allergic to?',
    results: [
      {
        name: 'allergy',
        score: 0.698,
        parts: { vector: 0.352, keyword: 1, exact: 0.4, importance: 1, confidence: 0.9, relevance: 1 },
      },
      {
        name: 'mila-piano',
        score: 0.326,
        parts: {
          vector: 0.035,
          keyword: 0.443,
          exact: 0.2,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.234,
          relevance: 1,
        },
      },
      {
        name: 'mila-school',
        score: 0.313,
        parts: { keyword: 0.443, exact: 0.2, importance: 0.7, confidence: 0.9, recency: 0.034, relevance: 1 },
      },
    ],
  },
  {
    query: 'How does Ruben keep the slugs away?',
    results: [
      {
        name: 'garden-5',
        score: 0.681,
        parts: {
          vector: 0.337,
          keyword: 0.759,
          exact: 0.571,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.885,
          relevance: 1,
        },
      },
      {
        name: 'garden-6',
        score: 0.668,
        parts: {
          vector: 0.161,
          keyword: 1,
          exact: 0.143,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.885,
          tag: 0.25,
          relevance: 1,
        },
      },
      {
        name: 'garden-4',
        score: 0.529,
        parts: {
          vector: 0.08,
          keyword: 0.681,
          exact: 0.143,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.884,
          tag: 0.25,
          relevance: 1,
        },
      },
      {
        name: 'garden-12',
        score: 0.414,
        parts: {
          keyword: 0.436,
          exact: 0.143,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.885,
          tag: 0.25,
          relevance: 1,
        },
      },
    ],
  },
  {
    query: 'Oksana billing',
    results: [
      {
        name: 'oksana-role',
        score: 0.81,
        parts: { vector: 0.414, keyword: 1, exact: 0.5, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
      {
        name: 'review-two',
        score: 0.799,
        parts: { vector: 0.382, keyword: 1, exact: 0.5, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
    ],
  },
  {
    query: 'Yuki Osaka office',
    results: [
      {
        name: 'yuki-moved',
        score: 0.778,
        parts: { vector: 0.543, keyword: 1, exact: 0.667, importance: 0.6, confidence: 0.9, relevance: 1 },
      },
    ],
  },
  {
    query: 'conection pool exausted',
    results: [
      {
        name: 'pool-exhausted',
        score: 0.343,
        parts: { keyword: 0.283, exact: 0.333, importance: 0.9, confidence: 0.9, recency: 0.424, relevance: 1 },
      },
    ],
  },
  {
    query: 'Wer macht die Steuererklärung?',
    results: [
      {
        name: 'steuer',
        score: 0.665,
        parts: {
          vector: 0.366,
          keyword: 0.694,
          exact: 0.5,
          importance: 0.7,
          confidence: 0.9,
          recency: 0.79,
          relevance: 1,
        },
      },
      {
        name: 'german-deploy',
        score: 0.315,
        parts: { keyword: 0.211, exact: 0.25, importance: 0.6, confidence: 0.9, recency: 0.86, relevance: 1 },
      },
    ],
  },
  {
    query: 'Why did we choose Redis Streams over RabbitMQ?',
    results: [
      {
        name: 'queue-redis',
        score: 0.557,
        parts: { vector: 0.191, keyword: 0.83, exact: 0.3, importance: 0.95, confidence: 0.9, relevance: 1 },
      },
      {
        name: 'pool-exhausted',
        score: 0.23,
        parts: { keyword: 0.149, importance: 0.9, confidence: 0.9, recency: 0.424, relevance: 1 },
      },
    ],
  },
  {
    query: 'How do I release Lanternfish?',
    results: [
      {
        name: 'howto-release',
        score: 0.622,
        parts: { keyword: 1, exact: 0.2, importance: 0.8, confidence: 0.9, recency: 0.072, tag: 0.5, relevance: 1 },
      },
      {
        name: 'db-postgres',
        score: 0.512,
        parts: { vector: 0.25, keyword: 0.483, exact: 0.2, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
      {
        name: 'config-path',
        score: 0.507,
        parts: { vector: 0.237, keyword: 0.483, exact: 0.2, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
    ],
  },
];
