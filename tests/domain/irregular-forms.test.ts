/** Irregular forms are reduced to their base form, and other words do not change. */
import { describe, expect, test } from 'vitest';
import { queryTerms } from '../../src/domain/text/terms.js';
import { baseForm, stem } from '../../src/domain/text/words.js';

describe('irregular forms', () => {
  test.each([
    ['chose', 'choosing'],
    ['bought', 'buys'],
    ['written', 'write'],
    ['children', 'child'],
    ['indices', 'index'],
    ['went', 'going'],
  ])('%s is found by %s', (form, other) => {
    expect(queryTerms(form)).toEqual(queryTerms(other));
  });

  test.each(['left', 'saw', 'found', 'hono', 'stream'])('the word %s is unchanged', word => {
    expect(baseForm(word)).toBe(word);
    expect(stem(word)).toBe(stem(baseForm(word)));
  });
});
