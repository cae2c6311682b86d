/** The steps that will convert data of older releases run in their order, from the stored version on. */
import { expect, test } from 'vitest';
import { migrate } from '../../src/stores/schema-version.js';

test.each([
  [5, ['to 6', 'to 7']],
  [6, ['to 7']],
  [7, []],
])('from version %i', (stored, expected) => {
  const done: string[] = [];
  const steps = ['to 6', 'to 7'].map(name => (target: string[]) => void target.push(name));
  migrate(done, stored, { name: 'The file', version: 7, steps, elsewhere: 'look elsewhere' });
  expect(done).toEqual(expected);
});

test.each([4, 8])('version %i is refused before the first step', stored => {
  const steps = [() => expect.fail(), () => expect.fail()];
  const schema = { name: 'The file', version: 7, steps, elsewhere: 'look elsewhere' };
  expect(() => migrate(undefined, stored, schema)).toThrow(`The file has schema version ${stored}`);
});
