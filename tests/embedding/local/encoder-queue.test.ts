/** The queue of an encoder, with scripted encoders. */
import { describe, expect, test } from 'vitest';
import { letWorkRun, until } from '../../support/turns.js';
import { numbersOf, openQueue } from './test-queue.js';

describe('order', () => {
  test('vectors are returned in the order of their texts', async () => {
    const { queue } = openQueue();
    expect(numbersOf(await queue.encode(['aaa', 'a', 'aa'], 'document'))).toEqual([3, 1, 2]);
    expect(await queue.encode([], 'document')).toEqual([]);
  });

  test('a question waits at most for the one text that is being embedded', async () => {
    const { queue } = openQueue();
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const many = Array.from({ length: 1000 }, () => 'text');
    const all = [
      queue.encode(many, 'document').then(note('documents')),
      queue.encode(['text'], 'document').then(note('more documents')),
      queue.encode(['text', 'text'], 'query').then(note('question')),
      queue.encode(['text'], 'query').then(note('another question')),
    ];
    await Promise.all(all);
    expect(ended).toEqual(['question', 'another question', 'documents', 'more documents']);
  });

  test('questions that come while memories are embedded are the next texts, in one encoder', async () => {
    const { queue, given } = openQueue();
    const texts = Array.from({ length: 1000 }, () => 'memory');
    const memories = queue.encode(texts, 'document');
    await until(() => (given[0]?.length ?? 0) > 0);
    const before = given[0]?.length ?? 0;
    await Promise.all([queue.encode(['first', 'second'], 'query'), queue.encode(['third'], 'query'), memories]);
    expect(given).toEqual([[...texts.slice(0, before), 'first', 'second', 'third', ...texts.slice(before)]]);
  });

  test('the thread of the caller keeps running while a text is being embedded', async () => {
    const { queue } = openQueue();
    const endless = expect(queue.encode(['forever'], 'document')).rejects.toThrow('is closed');
    await letWorkRun();
    await queue.close();
    await endless;
  });
});

describe('a problem with a text', () => {
  test('fails only the request that contains the text', async () => {
    const { queue, log } = openQueue();
    const odd = queue.encode(['fine', 'odd', 'fine'], 'document');
    const fine = queue.encode(['fine'], 'document');
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
    const { queue, log } = openQueue();
    expect(numbersOf(await queue.encode(['a'], 'query'))).toEqual([1]);
    const inWork = queue.encode(['a', text, 'a'], 'document');
    const waiting = queue.encode(['a'], 'document');
    for (const each of [inWork, waiting]) {
      await expect(each).rejects.toMatchObject({
        code: 'unavailable',
        message: 'The local model has failed: see the log',
      });
    }
    expect(log.lines).toEqual([`warn: ${line}`]);
    expect(numbersOf(await queue.encode(['aa'], 'query'))).toEqual([2]);
  });

  test('before its first answer delays the next start, so that not every query starts a worker', async () => {
    const { queue, log, clock } = openQueue('broken');
    const line = 'warn: the local model has failed: no such model';
    await expect(queue.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(queue.encode(['a'], 'query')).rejects.toThrow('is tried again later: see the log');
    expect(log.lines).toEqual([line]);
    clock.advance(15_000);
    await expect(queue.encode(['a'], 'query')).rejects.toThrow('has failed: see the log');
    expect(log.lines).toEqual([line, line]);
  });
});

describe('closing', () => {
  test('fails waiting and later texts, and may be repeated', async () => {
    const { queue, log } = openQueue();
    const waiting = expect(queue.encode(['a', 'a'], 'document')).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([queue.close(), queue.close()]);
    await waiting;
    await expect(queue.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(log.lines).toEqual([]);
  });

  test('succeeds if the queue was never used', async () => {
    const { queue } = openQueue('broken');
    await queue.close();
  });
});
