/** The hashes of the words of a text, compared with the words that `words` finds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowerHalf, stem, textHash, upperHalf, words } from '../../src/domain/text/words.js';
import { hashWords } from '../../src/recall/score/word-hashes.js';

function expected(text: string): number[] {
  const ofWords = words(text).map(textHash);
  const ofStems = words(text).map(word => textHash(stem(word)));
  return [...ofWords.map(lowerHalf), ...ofStems.map(lowerHalf), ...ofStems.map(upperHalf)];
}

describe('the words and stems of a text are hashed in reading order', () => {
  test.each([
    '',
    ' ... ',
    'We decided to use Postgres, because Redis was losing writes.',
    "Anna's boats don't sail; it's the dogs' day",
    "'quoted' 'tis rock'n'roll's it's's 's ' '' a'",
    "Anna's_boat d's_x",
    "parseJSON XMLHttpRequest ALLCAPS iPhone 3D 3rd O'Brien's",
    `${'x'.repeat(64)} ${'y'.repeat(65)}'s ${'Z'.repeat(70)}`,
    'Zoë’s café in 東京, и Москва',
  ])('%j', text => {
    expect([...hashWords(text)]).toEqual(expected(text));
  });
});

test('texts of random parts have the same words', () => {
  const part = fc.constantFrom(
    ...["'", "'s", 's', '_', ' ', '.', 'a', 'B', 'Zo', '3', '-', 'running', 'é', '’s', "n't", '文', '😀'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      const text = parts.join('');
      expect(hashWords(text).join()).toBe(expected(text).join());
    }),
    { numRuns: 10_000 },
  );
});

test('more different words than the table holds are all hashed correctly', () => {
  const many = Array.from({ length: 45_000 }, (_, index) => `word${index} sailing${index}`).join(' ');
  expect(hashWords(many).join()).toBe(expected(many).join());
  expect([...hashWords('running boats')]).toEqual(expected('running boats'));
});
