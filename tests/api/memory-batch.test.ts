/** Batches of memories: all or nothing. */
import { describe, expect, test } from 'vitest';
import { readMemoryBatch } from '../../src/api/requests/memory.js';
import { testLimits } from '../support/test-limits.js';

const LIMITS = testLimits({ contentMaxLength: 100, batchMaxSize: 3 });

describe('a batch', () => {
  test('is a bare array, or an object with one', async () => {
    const items = [{ content: 'a' }, { content: 'b', importance: 1 }];
    const expected = [{ content: 'a' }, { content: 'b', importance: 1 }];
    expect(await readMemoryBatch(items, LIMITS)).toMatchObject(expected);
    expect(await readMemoryBatch({ memories: items }, LIMITS)).toMatchObject(expected);
  });

  test.each([[[]], [{}], [{ memories: [] }], [{ memories: 'a' }], ['a'], [null], [undefined], [{ content: 'a' }]])(
    'is not %j',
    async input => {
      await expect(readMemoryBatch(input, LIMITS)).rejects.toThrow(
        expect.objectContaining({ code: 'invalid', field: 'memories' }),
      );
    },
  );

  test('names the first bad element, its position and its field', async () => {
    await expect(readMemoryBatch([{ content: 'a' }, { content: 'b', type: 'x' }, {}], LIMITS)).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid',
        index: 1,
        field: 'type',
        message: expect.stringMatching(/^Invalid memory at index 1: 'type' must be one of/),
      }),
    );
  });

  test.each([[null], ['text'], [[{ content: 'a' }]]])(
    'names the position of an element that is no object: %j',
    async item => {
      await expect(readMemoryBatch([{ content: 'a' }, item], LIMITS)).rejects.toThrow(
        expect.objectContaining({ index: 1, message: expect.stringMatching(/index 1: .*object/) }),
      );
    },
  );

  test('is as large as the limit and no larger, which is said before its elements are read', async () => {
    const items = Array.from({ length: 3 }, (_, index) => ({ content: `${index}` }));
    expect(await readMemoryBatch(items, LIMITS)).toHaveLength(3);
    await expect(readMemoryBatch([...items, {}], LIMITS)).rejects.toThrow(
      expect.objectContaining({ code: 'too_large', status: 413, message: expect.stringContaining('3 memories') }),
    );
  });
});
