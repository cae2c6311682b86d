/** The thread from outside, with a worker that does what it is told. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEncoderThread } from '../../../src/embedding/local/encoder-thread.js';
import { startThread } from '../../../src/thread.js';
import { createManualClock } from '../../support/manual-clock.js';
import { letWorkRun } from '../../support/turns.js';
import { createTestLog } from './test-local.js';

const WORKER = new URL('./scripted-worker.mjs', import.meta.url);

function openThread(name = 'fine') {
  const log = createTestLog();
  const clock = createManualClock();
  const startWorker = (source: unknown) => startThread(WORKER, source);
  const thread = createEncoderThread({ folder: '', name, weights: '' }, { log, clock, startWorker });
  onTestFinished(() => thread.close());
  return { thread, log, clock };
}

const numbersOf = (vectors: readonly Float32Array[]) => vectors.map(([number]) => number);

describe('order', () => {
  test('vectors come in the order of their texts', async () => {
    const { thread } = openThread();
    expect(numbersOf(await thread.encode(['aaa', 'a', 'aa'], 'document'))).toEqual([3, 1, 2]);
    expect(await thread.encode([], 'document')).toEqual([]);
  });

  test('a question waits for no more than the text in work', async () => {
    const { thread } = openThread();
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const many = Array.from({ length: 1000 }, () => 'text');
    const all = [
      thread.encode(many, 'document').then(note('documents')),
      thread.encode(['text'], 'document').then(note('more documents')),
      thread.encode(['text', 'text'], 'query').then(note('question')),
      thread.encode(['text'], 'query').then(note('another question')),
    ];
    await Promise.all(all);
    expect(ended).toEqual(['question', 'another question', 'documents', 'more documents']);
  });

  test('this thread goes on meanwhile', async () => {
    const { thread } = openThread();
    const endless = expect(thread.encode(['forever'], 'document')).rejects.toThrow('is closed');
    await letWorkRun();
    await thread.close();
    await endless;
  });
});

describe('trouble with a text', () => {
  test('is about that text only', async () => {
    const { thread, log } = openThread();
    const odd = thread.encode(['fine', 'odd', 'fine'], 'document');
    const fine = thread.encode(['fine'], 'document');
    await expect(odd).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('too odd') });
    expect(numbersOf(await fine)).toEqual([4]);
    expect(log.lines).toEqual([]);
  });
});

describe('the end of the worker', () => {
  test.each([
    ['crash', 'the local model has failed: out of memory'],
    ['exit', 'the local model has ended with code 3'],
  ])('by %s fails what waits, is logged, and the next use starts another', async (text, line) => {
    const { thread, log } = openThread();
    expect(numbersOf(await thread.encode(['a'], 'query'))).toEqual([1]);
    const inWork = thread.encode(['a', text, 'a'], 'document');
    const waiting = thread.encode(['a'], 'document');
    for (const each of [inWork, waiting]) {
      await expect(each).rejects.toMatchObject({
        code: 'unavailable',
        message: 'The local model has failed: see the log',
      });
    }
    expect(log.lines).toEqual([`warn: ${line}`]);
    expect(numbersOf(await thread.encode(['aa'], 'query'))).toEqual([2]);
  });

  test('before it has answered once is not repeated with every query', async () => {
    const { thread, log, clock } = openThread('broken');
    const line = 'warn: the local model has failed: no such model';
    await expect(thread.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(thread.encode(['a'], 'query')).rejects.toThrow('is tried again later: see the log');
    expect(log.lines).toEqual([line]);
    clock.advance(15_000);
    await expect(thread.encode(['a'], 'query')).rejects.toThrow('has failed: see the log');
    expect(log.lines).toEqual([line, line]);
  });
});

describe('closing', () => {
  test('fails what waits and what comes, and may be repeated', async () => {
    const { thread, log } = openThread();
    const waiting = expect(thread.encode(['a', 'a'], 'document')).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([thread.close(), thread.close()]);
    await waiting;
    await expect(thread.encode(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(log.lines).toEqual([]);
  });

  test('of one that was never used needs no worker', async () => {
    const { thread } = openThread('broken');
    await thread.close();
  });
});
