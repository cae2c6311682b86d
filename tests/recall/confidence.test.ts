/** The level of `confidence` for single questions; tests/golden/confidence.test.ts measures it on a set. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, request, store } = await openRecallApp();

beforeAll(async () => {
  const others = Array.from({ length: 80 }, (_, index) => ({
    content: `Note ${index}: we drop the staging database on day ${index} because the tests leak rows`,
    tags: [`other-${index}`],
  }));
  await request('POST /memory/batch', others, 201);
  await store({
    puppeteer: { content: 'Puppeteer was dropped because it leaked memory in CI.' },
    commute: { content: 'The commute happens on the cargo bike.' },
    kestrel: { content: 'The room Kestrel seats eight people.' },
    kestrelAgain: { content: 'The room Kestrel has a projector.' },
  });
});

describe('recall: the only memory with a rare word of the question', () => {
  test.each([
    ['Why did we drop Puppeteer?', 'high'],
    ['Puppeteer', 'medium'],
    ['Why was Puppeteer removed?', 'low'],
    ['puppeteer abandoned', 'low'],
    ['What happens to Puppeteer?', 'low'],
    ['Why did we stop using Puppeteer in the browser?', 'low'],
  ])('answers "%s" with %s confidence', async (query, level) => {
    const { confidence, results } = await ask({ query });
    expect(results[0].memory.content).toContain('Puppeteer');
    expect(confidence).toBe(level);
  });

  test('gives none if it has less than half of the words, and the word is not a name', async () => {
    expect((await ask({ query: 'who repairs a cargo tram on old rails' })).confidence).toBe('none');
  });

  test('gives none if its words occur in other memories too', async () => {
    expect((await ask({ query: 'Who painted Kestrel?' })).confidence).toBe('none');
  });
});
