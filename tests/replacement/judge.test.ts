/** Checks the judge of pairs: which pairs are alike, which are duplicates, and what the reason says. */
import { describe, expect, test } from 'vitest';
import { createMemory, type Memory } from '../../src/domain/memory.js';
import { reasonFor, verdictOn } from '../../src/replacement/judge.js';
import { wordingOf } from '../../src/replacement/wording.js';
import { BY_MEANING, BY_WORDS } from '../support/judges.js';

const occurrences = { memoryCount: 100, frequencies: new Map<string, number>() };

function noted(content: string, tags: string[] = []): Memory {
  return createMemory({ content, metadata: {}, tags }, content, 0);
}

const of = (...notes: Parameters<typeof noted>) => wordingOf(noted(...notes));
const likeness = (a: ReturnType<typeof of>, b: ReturnType<typeof of>) => BY_WORDS.similarity(a, b, { occurrences });

const LONG = 'hangs in the meter cupboard beside the front door under the small brass lamp of the neighbour';

describe('a duplicate', () => {
  test.each([
    ['the same words', 'The spare key hangs in the meter cupboard.', 'The spare key hangs in the meter cupboard.'],
    [
      'a different word order',
      'On Friday Ottilie waters the ferns twice.',
      'Ottilie waters the ferns twice on Friday.',
    ],
    ['different function words', 'Kestrel keeps its logs for 400 days.', 'The logs of Kestrel are kept for 400 days.'],
  ])('has %s', (_, one, other) => {
    expect(verdictOn(of(one), of(other))).toBe('duplicate');
    expect(reasonFor(of(one), of(other), occurrences)).toBe('says nearly the same');
  });

  test.each([
    ['another number', `Key 4 ${LONG}.`, `Key 5 ${LONG}.`],
    ['another number at its beginning', `4 keys ${LONG}.`, `5 keys ${LONG}.`],
    ['another name', `The key of Ottilie ${LONG}.`, `The key of Henrike ${LONG}.`],
    ['another weekday', `On Mondays the key ${LONG}.`, `On Fridays the key ${LONG}.`],
    ['an additional number', `The key ${LONG}.`, `The key 7 ${LONG}.`],
    ['a denial', `The key ${LONG}.`, `The key never ${LONG}.`],
    ['other words', 'The spare key hangs in the meter cupboard.', 'The spare fuse lies in the tool drawer.'],
  ])('does not have %s', (_, one, other) => {
    expect(verdictOn(of(one), of(other))).toBe('replaced');
    expect(verdictOn(of(other), of(one))).toBe('replaced');
  });
});

describe('likeness', () => {
  const [port, other] = [of('Kestrel listens on port 7443.'), of('Kestrel is reached on port 7553.')];

  test('is symmetric, and greatest for the same words', () => {
    expect(likeness(port, other)).toBe(likeness(other, port));
    expect(likeness(port, port)).toBeCloseTo(1);
    expect(BY_WORDS.isEnough(likeness(port, other))).toBe(true);
    expect(BY_WORDS.isEnough(likeness(port, of('The oak table came from my uncle.')))).toBe(false);
  });

  test('is 0 for other subjects, unless the two memories share a subject', () => {
    const text = 'Deploys start at nine.';
    expect(likeness(of(text, ['project:a']), of(text, ['project:b']))).toBe(0);
    expect(likeness(of(text, ['project:a', 'people:x']), of(text, ['project:a', 'people:y']))).toBeGreaterThan(0.7);
  });

  test('does not count the name of a shared subject', () => {
    const tags = ['project:kestrel'];
    expect(likeness(of('Kestrel has a blue logo.', tags), of('Kestrel stores amounts as cents.', tags))).toBe(0);
  });

  test('of a model counts meaning, less in a dense surrounding, and is 0 without vectors', () => {
    const at = (similarity: number, others: number[]) =>
      BY_MEANING.similarity(port, of('It answers at 7553.'), { occurrences, meaning: { similarity, others } });
    expect(BY_MEANING.isEnough(at(0.7, []))).toBe(true);
    expect(at(0.7, Array(10).fill(0.6))).toBeLessThan(at(0.7, [0.6]));
    expect(at(0.05, [])).toBe(0);
    expect(BY_MEANING.similarity(port, port, { occurrences })).toBe(0);
  });
});

test('a reason names the rarest words that both memories have, as the newer one spells them', () => {
  const frequencies = new Map([['cost', 50]]);
  const [newer, older] = [of('Trailhead costs 39 euros now.'), of('Trailhead costs 29 euros.')];
  expect(reasonFor(newer, older, { memoryCount: 100, frequencies })).toBe('shares trailhead, euros, costs');
  expect(reasonFor(newer, of('Something else.'), occurrences)).toBe('is close in meaning');
});
