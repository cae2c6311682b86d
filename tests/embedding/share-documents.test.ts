/** Documents that two parts embed at about the same time. */
import { expect, test } from 'vitest';
import { shareDocuments } from '../../src/embedding/question-limit.js';
import { createManualClock } from '../support/manual-clock.js';

function counting(fails = 0) {
  const calls: (readonly string[])[] = [];
  const clock = createManualClock();
  const embed = shareDocuments(async texts => {
    calls.push(texts);
    if (calls.length <= fails) throw new Error('the model is away');
    return texts.map(text => Float32Array.of(text.length));
  }, clock);
  return { calls, embed, clock };
}

test('a text is embedded once, while it is being embedded and just after', async () => {
  const { calls, embed } = counting();
  const [first, second] = await Promise.all([embed(['a', 'bb']), embed(['bb', 'ccc', 'ccc'])]);
  expect([first, second]).toEqual([
    [Float32Array.of(1), Float32Array.of(2)],
    [Float32Array.of(2), Float32Array.of(3), Float32Array.of(3)],
  ]);
  expect(await embed(['a'])).toEqual([Float32Array.of(1)]);
  expect(calls).toEqual([['a', 'bb'], ['ccc']]);
});

test('a failed text is embedded again by the next call', async () => {
  const { calls, embed } = counting(1);
  await expect(embed(['a'])).rejects.toThrow('away');
  expect(await embed(['a'])).toEqual([Float32Array.of(1)]);
  expect(calls).toHaveLength(2);
});

test('many texts in one call all get their vectors', async () => {
  const { calls, embed } = counting();
  const texts = Array.from({ length: 200 }, (_, index) => 'x'.repeat(index + 1));
  expect((await embed(texts)).map(([length]) => length)).toEqual(texts.map(text => text.length));
  expect(calls).toEqual([texts]);
});

test('a text is embedded again after some seconds, even if its first call never ends', async () => {
  const clock = createManualClock();
  let calls = 0;
  const embed = shareDocuments(async texts => {
    calls += 1;
    if (calls === 1) await new Promise(() => {});
    return texts.map(text => Float32Array.of(text.length));
  }, clock);
  void embed(['a']);
  clock.advance(3_000);
  expect(await embed(['a'])).toEqual([Float32Array.of(1)]);
});
