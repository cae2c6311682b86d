/** The difference between two texts, word by word. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords } from '../../src/web/memory/history.js';

test('a difference marks only the changed words as removed and added', () => {
  expect(diffWords('The office is in Berlin', 'The office is in Hamburg')).toEqual([
    { kind: 'same', text: 'The office is in ' },
    { kind: 'removed', text: 'Berlin' },
    { kind: 'added', text: 'Hamburg' },
  ]);
});

test('a difference marks inserted words as added and deleted words as removed', () => {
  const parts = diffWords('We meet on Monday at nine', 'We always meet on Monday');
  expect(parts.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(['always ']);
  expect(parts.filter(({ kind }) => kind === 'removed').map(({ text }) => text.trim())).toEqual(['at nine']);
});

test('the difference of equal texts is one part, and that of empty texts has no parts', () => {
  expect(diffWords('a b c', 'a b c')).toEqual([{ kind: 'same', text: 'a b c' }]);
  expect(diffWords('', '')).toEqual([]);
});

test('both texts can be restored from their difference', () => {
  const words = fc
    .array(fc.constantFrom('a ', 'b', ' ', '\n', 'c  ', '<b>', 'é'), { maxLength: 60 })
    .map(parts => parts.join(''));
  const textOf = (parts: ReturnType<typeof diffWords>, without: string) =>
    parts.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('');
  fc.assert(
    fc.property(words, words, (before, after) => {
      const parts = diffWords(before, after);
      expect(textOf(parts, 'added')).toBe(before);
      expect(textOf(parts, 'removed')).toBe(after);
    }),
  );
});

test('the difference of long texts is complete', () => {
  const long = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word}${index}`).join(' ');
  const parts = diffWords(long('a'), long('b'));
  expect(
    parts
      .filter(({ kind }) => kind !== 'added')
      .map(({ text }) => text)
      .join(''),
  ).toBe(long('a'));
});
