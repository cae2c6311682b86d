/** Reads requests with batches of memories. One invalid memory rejects the whole batch. */
import { describe, expect, test } from 'vitest';
import { readMemoryBatch } from '../../src/api/memory-requests.js';
import { testLimits } from '../support/test-limits.js';

const LIMITS = testLimits({ contentMaxLength: 100, batchMaxSize: 3 });

describe('a batch', () => {
  test('may be a bare array, or an object with an array', async () => {
    const items = [{ content: 'a' }, { content: 'b', importance: 1 }];
    const expected = [{ content: 'a' }, { content: 'b', importance: 1 }];
    expect(await readMemoryBatch(items, LIMITS)).toMatchObject(expected);
    expect(await readMemoryBatch({ memories: items }, LIMITS)).toMatchObject(expected);
  });

  test.each([[[]], [{}], [{ memories: [] }], [{ memories: 'a' }], ['a'], [null], [undefined], [{ content: 'a' }]])(
    'is rejected when it is %j',
    async input => {
      await expect(readMemoryBatch(input, LIMITS)).rejects.toThrow(
        expect.objectContaining({ code: 'invalid', field: 'memories' }),
      );
    },
  );

  test('with an invalid element is rejected, and the error names the position and the field', async () => {
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
    'is rejected with the position of an element that is not an object: %j',
    async item => {
      await expect(readMemoryBatch([{ content: 'a' }, item], LIMITS)).rejects.toThrow(
        expect.objectContaining({ index: 1, message: expect.stringMatching(/index 1: .*object/) }),
      );
    },
  );

  test('above the size limit is rejected before its elements are parsed', async () => {
    const items = Array.from({ length: 3 }, (_, index) => ({ content: `${index}` }));
    expect(await readMemoryBatch(items, LIMITS)).toHaveLength(3);
    await expect(readMemoryBatch([...items, {}], LIMITS)).rejects.toThrow(
      expect.objectContaining({ code: 'too_large', status: 413, message: expect.stringContaining('3 memories') }),
    );
  });
});
