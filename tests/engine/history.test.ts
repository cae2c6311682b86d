/** A history that another program has damaged (docs/decisions.md, "History of edits"). */
import { expect, test } from 'vitest';
import type { Metadata } from '../../src/domain/json.js';
import { openGraphOf } from '../support/test-engine.js';
import { openForTest } from './open-engine.js';

const AT = '2026-01-01T00:00:00.000Z';
const FIELDS = { content: 'then', type: 'Context', confidence: 0.3, tags: [], importance: 0.5, metadata: {} };
const VERSION = { number: 4, replacedAt: AT, changed: ['content'], fields: FIELDS };

test.each<[string, Metadata, number[]]>([
  ['not JSON', { last_version: 4, versions: '[{' }, [5]],
  ['not a list', { last_version: 4, versions: '{"number": 4}' }, [5]],
  ['absent', { last_version: 'four' }, [1]],
  ['a list that also contains other values', { versions: JSON.stringify([null, 7, { number: 9 }, VERSION]) }, [5, 4]],
])(
  'a history whose text is %s keeps its valid versions, and its memory can be edited',
  async (_, properties, numbers) => {
    const test = await openForTest();
    const id = await test.add({ content: 'now' });
    await test.reopen(async () => {
      const graph = openGraphOf(test.config);
      await graph.saveNode({ kind: 'MemoryHistory', id, properties, updated_at: AT });
      await graph.close();
    });
    expect((await test.engine.history(id)).versions).toEqual(numbers.includes(4) ? [VERSION] : []);
    await test.patch(id, { content: 'next' });
    expect((await test.engine.history(id)).versions.map(({ number }) => number)).toEqual(numbers);
    expect((await test.engine.restoreVersion(id, numbers[0] ?? 0)).content).toBe('now');
  },
);
