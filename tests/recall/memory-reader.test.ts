/** When several channels of a recall find the same memory at the same time, it is read once. */
import { expect, test } from 'vitest';
import { createMemoryReader } from '../../src/recall/context.js';
import { noLinks } from '../../src/recall/select/supersessions.js';
import type { RelationsWithEnds, RequestWithEnds } from '../../src/stores/ports/edge-store.js';
import { idOf, memory } from '../support/records.js';
import { until } from '../support/turns.js';

test('memory reader: a memory that is already being read is not requested again', async () => {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const relationsWithEnds = ({ ids }: RequestWithEnds) => {
    asked.push([...ids]);
    return new Promise<RelationsWithEnds>(resolve => {
      const stored = [1, 2, 3].map(number => memory(number)).filter(({ id }) => ids.includes(id));
      const memories = new Map(stored.map(each => [each.id, each]));
      answers.push(() => resolve({ memories, relations: new Map(), ends: new Map() }));
    });
  };
  const reader = createMemoryReader({ relationsWithEnds }, noLinks());

  const byMeaning = reader.read([idOf(1), idOf(2), idOf(4)]);
  const byWords = reader.read([idOf(3), idOf(2), idOf(3)]);
  await until(() => answers.length === 2);
  for (const answer of answers.toReversed()) answer();

  const idsOf = async (reading: typeof byWords) => (await reading).map(read => read.memory.id);
  expect(await idsOf(byWords)).toEqual([idOf(3), idOf(2)]);
  expect(await idsOf(byMeaning)).toEqual([idOf(1), idOf(2)]);
  expect(await idsOf(reader.read([idOf(2), idOf(4), idOf(1)]))).toEqual([idOf(2), idOf(1)]);
  expect(asked).toEqual([[idOf(1), idOf(2), idOf(4)], [idOf(3)]]);
});
