/** Heap memory that analyzed texts use. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { stem } from '../../src/domain/text/words.js';
import { analyzeText } from '../../src/recall/score/text.js';

const TEXTS = 100;
const TEXT_LENGTH = 200_000;

function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('the word caches do not keep a whole text in memory because of one of its words', () => {
  const before = collectGarbage();
  for (let index = 0; index < TEXTS; index++) {
    const name = `identifier${'abcdefghij'[index % 10]}${'abcdefghij'[Math.floor(index / 10) % 10]}${'xy'[index % 2]}z`;
    const text = `${'a '.repeat(TEXT_LENGTH / 2)}${name} ${index}withanumberbefore`;
    analyzeText({ content: text, tags: [], metadata: {} });
    for (const word of text.slice(TEXT_LENGTH).split(' ')) stem(word);
  }
  expect(collectGarbage() - before).toBeLessThan((TEXTS * TEXT_LENGTH) / 4);
});
