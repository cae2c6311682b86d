/** Notes in 25 languages are found by other forms and spellings of their words, and by questions. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { readRecall } from '../../src/api/recall-request.js';
import { openTestEngine } from '../support/test-engine.js';

interface Question {
  language: string;
  kind: 'form' | 'question' | 'spelling' | 'mixed';
  query: string;
  /** The id of the note that answers the question. */
  expected: string;
}

const linesOf = <Line>(file: string): Line[] =>
  readFileSync(new URL(`languages/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
const NOTES = linesOf<{ id: string; content: string }>('notes.jsonl');
const QUESTIONS = linesOf<Question>('questions.jsonl');

const { engine, close } = await openTestEngine({ VECTOR_SIZE: '1024' });
afterAll(close);
const ranks = new Map<Question, number>();

beforeAll(async () => {
  const stored = NOTES.map(({ id, content }) => readNewMemory({ content, metadata: { note: id } }, engine.limits));
  await engine.storeMany(stored);
  await engine.idle();
  for (const question of QUESTIONS) {
    const { results } = await engine.recall(readRecall({ query: question.query, limit: 10 }, engine.limits));
    const place = results.findIndex(({ memory }) => memory.metadata.note === question.expected);
    ranks.set(question, place < 0 ? Number.POSITIVE_INFINITY : place + 1);
  }
}, 60_000);

const shareWithin = (most: number, of: (question: Question) => boolean) => {
  const places = QUESTIONS.filter(of).map(question => ranks.get(question) ?? Number.POSITIVE_INFINITY);
  return places.filter(place => place <= most).length / places.length;
};
const distinct = (key: 'language' | 'kind') => [...new Set(QUESTIONS.map(question => question[key]))];

test('the note is mostly first, and nearly always among the first three', () => {
  expect(shareWithin(1, () => true)).toBeGreaterThanOrEqual(0.9);
  expect(shareWithin(3, () => true)).toBeGreaterThanOrEqual(0.97);
});

test.each(distinct('language'))('the note is mostly among the first three in the language %s', language => {
  expect(shareWithin(3, question => question.language === language)).toBeGreaterThanOrEqual(0.85);
});

test.each(distinct('kind'))('the note is mostly among the first three for a question of the kind "%s"', kind => {
  expect(shareWithin(3, question => question.kind === kind)).toBeGreaterThanOrEqual(0.95);
});
