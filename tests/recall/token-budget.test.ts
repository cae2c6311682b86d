/** `max_tokens`: keeps the best results whose text fits, in any script, and reports the omitted results. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, store, idOf } = await openRecallApp();
const LONG = `The archive of the observatory. ${'Every night the dome is opened and the sky is noted. '.repeat(850)}`;

beforeAll(() =>
  store({
    archive: { content: LONG, tags: ['sky'], importance: 0.9 },
    dome: { content: 'The dome of the observatory is opened at dusk', tags: ['sky'], importance: 0.2 },
    ...scripts({
      english: 'The harbour master counts the ships that come in and writes them down. ',
      japanese: '港の責任者は入港する船を数えて記録している。',
      chinese: '港务长清点进港的船只，并把它们记录下来。',
      korean: '항만장은 들어오는 배를 세어 기록한다. ',
      thai: 'นายท่าเรือนับเรือที่เข้ามาและจดบันทึกไว้',
      russian: 'Начальник порта считает входящие суда и записывает их. ',
    }),
  }),
);

/** Four memories of 200 characters in each script. */
function scripts(sentences: Record<string, string>) {
  const entries = Object.entries(sentences).flatMap(([script, sentence]) =>
    [1, 2, 3, 4].map(number => [
      `${script} ${number}`,
      { content: `${number} ${sentence.repeat(20)}`.slice(0, 200), tags: [script] },
    ]),
  );
  return Object.fromEntries(entries);
}

describe('a recall with max_tokens', () => {
  test('returns the best result alone and in full when it exceeds the budget, and reports the excess', async () => {
    const answer = await ask({ query: 'archive', tags: 'sky', max_tokens: '50' });
    expect(answer.results.map(({ id }: { id: string }) => id)).toEqual([idOf('archive')]);
    expect(answer.results[0].memory.content).toBe(LONG.trim());
    expect(answer.truncation).toMatchObject({ applied: true, omitted_results: 1, exceeded: true });
  });

  test('reports that the best result is too long even if nothing else was found', async () => {
    const answer = await ask({ query: 'archive', tags: 'sky', limit: '1', max_tokens: '50' });
    expect(answer.truncation).toEqual({ applied: true, omitted_results: 0, exceeded: true, reason: 'max_tokens' });
  });

  test('reports no excess when the best result fits', async () => {
    const { truncation } = await ask({ query: 'dome at dusk', tags: 'sky', max_tokens: '100' });
    expect(truncation).toEqual({ applied: true, omitted_results: 1, reason: 'max_tokens' });
    expect(await ask({ query: 'dome at dusk', tags: 'sky', max_tokens: '20000' })).not.toHaveProperty('truncation');
  });
});

/**
 * A memory of 200 characters has 50 tokens in English, 100 in Russian and 200 when every character is a token. Each
 * memory also needs about 40 tokens for its details, such as id and time.
 */
test.each([
  ['english', 4],
  ['russian', 2],
  ['japanese', 1],
  ['chinese', 1],
  ['korean', 1],
  ['thai', 1],
])('max_tokens: of four %s memories, 370 tokens are enough for %i', async (script, count) => {
  const { results } = await ask({ tags: script, max_tokens: '370' });
  expect(results).toHaveLength(count);
});
