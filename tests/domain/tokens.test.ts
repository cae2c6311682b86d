/** Tests the estimated number of tokens of texts in different scripts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens, takeTokens } from '../../src/domain/shown-text.js';

describe('the estimate of tokens', () => {
  test.each([
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['Zoë’s café costs €5', 5],
    ['Привет, мир', 5],
    ['καλημέρα', 4],
    ['नमस्ते', 3],
    ['東京の朝', 4],
    ['カレーライス、', 7],
    ['안녕하세요', 5],
    ['สวัสดี', 6],
    ['ＡＢＣ', 3],
    ['🧠🧠', 2],
  ])('of "%s" is %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});

test('takeTokens returns the longest beginning of a text that has at most the given number of tokens', () => {
  expect(takeTokens('abcdefgh', 1)).toBe('abcd');
  expect(takeTokens('東京の朝', 2)).toBe('東京');
  expect(takeTokens('🧠🧠', 1)).toBe('🧠');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 20 }), (text, maxTokens) => {
      const taken = takeTokens(text, maxTokens);
      expect(text.startsWith(taken)).toBe(true);
      expect(estimateTokens(taken)).toBeLessThanOrEqual(maxTokens);
      expect(taken === text).toBe(estimateTokens(text) <= maxTokens);
    }),
  );
});
