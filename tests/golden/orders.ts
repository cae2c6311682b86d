/** Expected order and score parts of chosen questions: what a change of weights or evidence does shows here. */
import type { ScoreComponents } from '../../src/domain/recall-results.js';

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
        score: 0.55,
        parts: {
          vector: 0.218,
          keyword: 0.661,
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
        score: 0.52,
        parts: { keyword: 0.499, importance: 0.85, confidence: 0.9, recency: 0.819, tag: 0.667, relevance: 1 },
      },
      {
        name: 'db-postgres',
        score: 0.463,
        parts: {
          keyword: 0.428,
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
        score: 0.427,
        parts: { keyword: 0.516, exact: 0.2, importance: 0.95, confidence: 0.9, tag: 0.333, relevance: 1 },
      },
    ],
  },
  {
    query: 'How much is the rent?',
    results: [
      {
        name: 'garden-11',
        score: 0.478,
        parts: {
          vector: 0.119,
          keyword: 0.267,
          exact: 0.8,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.885,
          relevance: 1,
        },
      },
      {
        name: 'landlord-new',
        score: 0.378,
        parts: {
          vector: 0.032,
          keyword: 0.311,
          exact: 0.4,
          importance: 0.65,
          confidence: 0.9,
          recency: 0.677,
          relevance: 1,
        },
      },
      {
        name: 'garden-12',
        score: 0.33,
        parts: { vector: 0.076, keyword: 0.355, importance: 0.5, confidence: 0.9, recency: 0.885, relevance: 1 },
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
        score: 0.708,
        parts: { vector: 0.496, keyword: 0.912, exact: 0.4, importance: 0.5, confidence: 0.9, tag: 0.2, relevance: 1 },
      },
      {
        name: 'rate-limit',
        score: 0.387,
        parts: { vector: 0.086, keyword: 0.476, exact: 0.4, importance: 0.65, confidence: 0.9, relevance: 1 },
      },
      {
        name: 'unicode-slug',
        score: 0.283,
        parts: {
          vector: 0.055,
          keyword: 0.128,
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
        score: 0.582,
        parts: { vector: 0.352, keyword: 0.667, exact: 0.4, importance: 1, confidence: 0.9, relevance: 1 },
      },
      {
        name: 'mila-piano',
        score: 0.274,
        parts: {
          vector: 0.035,
          keyword: 0.295,
          exact: 0.2,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.234,
          relevance: 1,
        },
      },
      {
        name: 'mila-school',
        score: 0.262,
        parts: { keyword: 0.295, exact: 0.2, importance: 0.7, confidence: 0.9, recency: 0.034, relevance: 1 },
      },
    ],
  },
  {
    query: 'How does Ruben keep the slugs away?',
    results: [
      {
        name: 'garden-5',
        score: 0.628,
        parts: {
          vector: 0.337,
          keyword: 0.607,
          exact: 0.571,
          importance: 0.5,
          confidence: 0.9,
          recency: 0.885,
          relevance: 1,
        },
      },
      {
        name: 'garden-6',
        score: 0.624,
        parts: {
          vector: 0.161,
          keyword: 0.872,
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
        score: 0.481,
        parts: {
          vector: 0.08,
          keyword: 0.545,
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
        score: 0.384,
        parts: {
          keyword: 0.348,
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
        score: 0.752,
        parts: { vector: 0.414, keyword: 0.833, exact: 0.5, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
      {
        name: 'review-two',
        score: 0.74,
        parts: { vector: 0.382, keyword: 0.833, exact: 0.5, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
    ],
  },
  {
    query: 'Yuki Osaka office',
    results: [
      {
        name: 'yuki-moved',
        score: 0.691,
        parts: { vector: 0.543, keyword: 0.75, exact: 0.667, importance: 0.6, confidence: 0.9, relevance: 1 },
      },
    ],
  },
  {
    query: 'conection pool exausted',
    results: [
      {
        name: 'pool-exhausted',
        score: 0.318,
        parts: { keyword: 0.212, exact: 0.333, importance: 0.9, confidence: 0.9, recency: 0.424, relevance: 1 },
      },
    ],
  },
  {
    query: 'Wer macht die Steuererklärung?',
    results: [
      {
        name: 'steuer',
        score: 0.616,
        parts: {
          vector: 0.366,
          keyword: 0.555,
          exact: 0.5,
          importance: 0.7,
          confidence: 0.9,
          recency: 0.79,
          relevance: 1,
        },
      },
      {
        name: 'german-deploy',
        score: 0.3,
        parts: { keyword: 0.169, exact: 0.25, importance: 0.6, confidence: 0.9, recency: 0.86, relevance: 1 },
      },
    ],
  },
  {
    query: 'Why did we choose Redis Streams over RabbitMQ?',
    results: [
      {
        name: 'queue-redis',
        score: 0.516,
        parts: { vector: 0.191, keyword: 0.711, exact: 0.3, importance: 0.95, confidence: 0.9, relevance: 1 },
      },
      {
        name: 'pool-exhausted',
        score: 0.222,
        parts: { keyword: 0.128, importance: 0.9, confidence: 0.9, recency: 0.424, relevance: 1 },
      },
    ],
  },
  {
    query: 'How do I release Lanternfish?',
    results: [
      {
        name: 'howto-release',
        score: 0.51,
        parts: { keyword: 0.678, exact: 0.2, importance: 0.8, confidence: 0.9, recency: 0.072, tag: 0.5, relevance: 1 },
      },
      {
        name: 'db-postgres',
        score: 0.455,
        parts: { vector: 0.25, keyword: 0.322, exact: 0.2, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
      {
        name: 'config-path',
        score: 0.451,
        parts: { vector: 0.237, keyword: 0.322, exact: 0.2, importance: 0.7, confidence: 0.9, tag: 0.5, relevance: 1 },
      },
    ],
  },
];
