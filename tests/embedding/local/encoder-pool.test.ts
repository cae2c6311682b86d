/** An encoder pool with one scripted encoder. */
import { describe, expect, test } from 'vitest';
import { letWorkRun } from '../../support/turns.js';
import { numbersOf, openPool } from './test-pool.js';

describe('order', () => {
  test('vectors are returned in the order of their texts', async () => {
    const { pool } = openPool();
    expect(numbersOf(await pool.encode(['aaa', 'a', 'aa'], 'document'))).toEqual([3, 1, 2]);
    expect(await pool.encode([], 'document')).toEqual([]);
  });

  test('a question waits at most for the one text that is being embedded', async () => {
    const { pool } = openPool();
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const many = Array.from({ length: 1000 }, () => 'text');
    const all = [
      pool.encode(many, 'document').then(note('documents')),
      pool.encode(['text'], 'document').then(note('more documents')),
      pool.encode(['text', 'text'], 'query').then(note('question')),
      pool.encode(['text'], 'query').then(note('another question')),
    ];
    await Promise.all(all);
    expect(ended).toEqual(['question', 'another question', 'documents', 'more documents']);
  });

  test('the thread of the caller keeps running while a text is being embedded', async () => {
    const { pool } = openPool();
    const endless = expect(pool.encode(['forever'], 'document')).rejects.toThrow('is closed');
    await letWorkRun();
    await pool.close();
    await endless;
  });
});

describe('a problem with a text', () => {
  test('fails only the request that contains the text', async () => {
    const { pool, log } = openPool();
    const odd = pool.encode(['fine', 'odd', 'fine'], 'document');
    const fine = pool.encode(['fine'], 'document');
    await expect(odd).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('too odd') });
    expect(numbersOf(await fine)).toEqual([4]);
    expect(log.lines).toEqual([]);
  });
});

describe('the end of the worker', () => {
  test.each([
    ['crash', 'the local model has failed: out of memory'],
    ['exit', 'the local model has ended with code 3'],
  ])('by %s fails the waiting texts and is logged, and the next text starts another worker', async (text, line) => {
    const { pool, log } = openPool();
    expect(numbersOf(await pool.encode(['a'], 'query'))).toEqual([1]);
    const inWork = pool.encode(['a', text, 'a'], 'document');
    const waiting = pool.encode(['a'], 'document');
    for (const each of [inWork, waiting]) {
      await expect(each).rejects.toMatchObject({
        code: 'unavailable',
        message: 'The local model has failed: see the log',
      });
    }
    expect(log.lines).toEqual([`warn: ${line}`]);
    expect(numbersOf(await pool.encode(['aa'], 'query'))).toEqual([2]);
  });

  test('before its first answer delays the next start, so that not every query starts a worker', async () => {
    const { pool, log, clock } = openPool('broken');
    const line = 'warn: the local model has failed: no such model';
    await expect(pool.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(pool.encode(['a'], 'query')).rejects.toThrow('is tried again later: see the log');
    expect(log.lines).toEqual([line]);
    clock.advance(15_000);
    await expect(pool.encode(['a'], 'query')).rejects.toThrow('has failed: see the log');
    expect(log.lines).toEqual([line, line]);
  });
});

describe('closing', () => {
  test('fails waiting and later texts, and may be repeated', async () => {
    const { pool, log } = openPool();
    const waiting = expect(pool.encode(['a', 'a'], 'document')).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([pool.close(), pool.close()]);
    await waiting;
    await expect(pool.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(log.lines).toEqual([]);
  });

  test('succeeds if the pool was never used', async () => {
    const { pool } = openPool('broken');
    await pool.close();
  });
});
