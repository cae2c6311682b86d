/** An encoder pool with several encoders: how they share the work, and how the end of one affects the others. */
import { describe, expect, test } from 'vitest';
import { letWorkRun, until } from '../../support/turns.js';
import { numbersOf, openBusyPool, openPool, texts } from './test-pool.js';

const lengths = (count: number) => texts(count).map(({ length }) => length);

describe('the number of encoders', () => {
  test('is one while few memories wait', async () => {
    const { pool, started } = openPool('fine', 2);
    for (const each of texts(20)) await pool.encode([each], 'document');
    expect(started.map(({ isInBackground }) => isInBackground)).toEqual([false]);
  });

  test('grows to its limit while many memories wait, and each additional encoder embeds some of them', async () => {
    const { pool, started } = await openBusyPool(2);
    expect(numbersOf(await pool.encode(texts(200), 'document'))).toEqual(lengths(200));
    expect(started.map(({ isInBackground }) => isInBackground)).toEqual([false, true, true]);
    for (const each of started.slice(1)) expect(each.texts.length).toBeGreaterThan(0);
  });

  test('returns to one after a minute without memories to embed, and can grow again', async () => {
    const { pool, started, clock, log } = await openBusyPool(2);
    clock.advance(59_000);
    await pool.encode(texts(1), 'document');
    clock.advance(59_000);
    await letWorkRun();
    expect(started.filter(({ isEnded }) => isEnded)).toEqual([]);
    clock.advance(1_000);
    await until(() => started.filter(({ isEnded }) => isEnded).length === 2);
    expect(started[0]?.isEnded).toBe(false);
    expect(numbersOf(await pool.encode(texts(50), 'document'))).toEqual(lengths(50));
    expect(started).toHaveLength(5);
    expect(log.lines).toEqual([]);
  });
});

describe('a question', () => {
  test('does not wait for memories, even if their encoders never finish', async () => {
    const { pool } = await openBusyPool(2);
    const endless = expect(pool.encode(['forever', 'forever', 'forever'], 'document')).rejects.toThrow('is closed');
    expect(numbersOf(await pool.encode(['aa'], 'query'))).toEqual([2]);
    expect(numbersOf(await pool.encode(['a'], 'query'))).toEqual([1]);
    await pool.close();
    await endless;
  });

  test('is given to another encoder after the encoder for questions has failed', async () => {
    const { pool, log, started } = await openBusyPool(1);
    await expect(pool.encode(['crash'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(numbersOf(await pool.encode(['aa'], 'query'))).toEqual([2]);
    await until(() => started[0]?.isEnded === true);
    expect(started[1]?.isEnded).toBe(false);
    expect(log.lines).toEqual(['warn: the local model has failed: out of memory']);
  });
});

describe('an encoder that ends', () => {
  test.each(['crash', 'exit'])('by %s fails only the request that it was working on', async end => {
    const { pool, log, started } = await openBusyPool(2);
    const failing = pool.encode([end], 'document');
    const others = [pool.encode(texts(100), 'document'), pool.encode(texts(30), 'document')];
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    const vectors = await Promise.all(others);
    expect(vectors.map(numbersOf)).toEqual([lengths(100), lengths(30)]);
    expect(log.lines).toHaveLength(1);
    await until(() => started.some(({ isEnded }) => isEnded));
    expect(started.filter(({ isEnded }) => isEnded)).toHaveLength(1);
  });

  test('before it has loaded leaves its work to a loaded encoder, and is replaced only after a delay', async () => {
    const { pool, log, started, clock } = openPool('single', 1);
    expect(numbersOf(await pool.encode(texts(40), 'document'))).toEqual(lengths(40));
    await until(() => log.lines.length === 1);
    expect(numbersOf(await pool.encode(texts(40), 'document'))).toEqual(lengths(40));
    expect(log.lines).toEqual(['warn: the local model has failed: no such model']);
    expect(started).toHaveLength(2);
    clock.advance(15_000);
    expect(numbersOf(await pool.encode(texts(40), 'document'))).toEqual(lengths(40));
    expect(started).toHaveLength(3);
  });
});

test('closing the pool ends all encoders in the middle of their work', async () => {
  const { pool, started, log } = await openBusyPool(2);
  const requests = [pool.encode(['forever', 'forever', 'forever', 'forever', 'a'], 'document')];
  requests.push(pool.encode(['forever'], 'query'));
  const outcomes = Promise.allSettled(requests);
  await letWorkRun();
  await pool.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
  await expect(pool.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  expect(log.lines).toEqual([]);
});
