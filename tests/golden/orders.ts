/**
 * Expected order of the results of selected questions. Three questions also have the score parts of their results. A
 * test that compares these values shows the effect of changed weights or evidence.
 */
import type { ScoreComponents } from '../../src/domain/recall-results.js';

export interface ExpectedOrder {
  query: string;
  /** Names of the results, best first. */
  results: readonly string[];
  /** Score parts of each result. A missing part is 0. */
  parts?: readonly Partial<ScoreComponents>[];
}

export const ORDERS: readonly ExpectedOrder[] = [
  {
    query: 'Which database does Lanternfish use?',
    results: ['test-containers', 'deadlock-inventory', 'db-postgres', 'howto-restore'],
    parts: [
      {
        vector: 0.262,
        keyword: 0.417,
        exact: 0.2,
        importance: 0.75,
        confidence: 0.9,
        recency: 0.155,
        tag: 0.333,
        relevance: 1,
        lexical: 1,
      },
      { keyword: 0.333, importance: 0.85, confidence: 0.9, recency: 0.819, tag: 0.667, relevance: 1, lexical: 1 },
      {
        vector: 0.188,
        keyword: 0.333,
        exact: 0.2,
        importance: 0.95,
        confidence: 0.9,
        recency: 0.001,
        tag: 0.667,
        relevance: 1,
        lexical: 0.604,
        inherited: 0.009,
      },
      {
        vector: 0.119,
        keyword: 0.25,
        exact: 0.2,
        importance: 0.85,
        confidence: 0.9,
        recency: 0.318,
        tag: 0.333,
        relevance: 1,
        lexical: 0.604,
      },
    ],
  },
  {
    query: 'How much is the rent?',
    results: ['garden-11', 'garden-12', 'landlord-new'],
    parts: [
      {
        vector: 0.343,
        keyword: 0.222,
        exact: 0.8,
        importance: 0.5,
        confidence: 0.9,
        recency: 0.885,
        relevance: 1,
        lexical: 0.455,
        meaning: 0.106,
      },
      { importance: 0.5, confidence: 0.9, recency: 0.885, relevance: 1, neighbour: 0.639 },
      {
        vector: 0.177,
        keyword: 0.222,
        exact: 0.4,
        importance: 0.65,
        confidence: 0.9,
        recency: 0.677,
        relevance: 1,
        lexical: 0.386,
        meaning: 0.015,
        inherited: 0.045,
      },
    ],
  },
  {
    query: 'parseHttpResponse',
    results: ['parse-response'],
    parts: [
      {
        vector: 0.468,
        keyword: 0.667,
        exact: 1,
        importance: 0.8,
        confidence: 0.9,
        recency: 0.172,
        relevance: 1,
        lexical: 1,
      },
    ],
  },
  { query: 'rate limit 429 Retry-After', results: ['rate-limit-copy', 'rate-limit', 'unicode-slug'] },
  { query: 'What is Mila allergic to?', results: ['allergy', 'mila-piano', 'mila-school'] },
  { query: 'How does Ruben keep the slugs away?', results: ['garden-6', 'garden-5', 'garden-4', 'garden-7'] },
  { query: 'Oksana billing', results: ['review-two', 'oksana-role'] },
  { query: 'Yuki Osaka office', results: ['yuki-moved'] },
  { query: 'conection pool exausted', results: ['pool-exhausted'] },
  { query: 'Wer macht die Steuererklärung?', results: ['steuer'] },
  { query: 'Why did we choose Redis Streams over RabbitMQ?', results: ['queue-redis', 'auth-paseto'] },
  { query: 'How do I release Lanternfish?', results: ['howto-release', 'config-path', 'test-containers'] },
];
