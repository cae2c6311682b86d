/** Which texts count as credentials. */
import { expect, test } from 'vitest';
import { credentialsIn } from '../../src/credentials.js';
import { examplesOf } from './examples.js';

test.each(examplesOf('secrets.jsonl'))('%s: a credential is found in %j', async (_, text) => {
  expect(await credentialsIn(text)).not.toEqual([]);
  expect(await credentialsIn(`For the record: ${text} (Ann, in May)`)).not.toEqual([]);
});

test.each(examplesOf('harmless.jsonl'))('%s: no credential is found in %j', async (_, text) => {
  expect(await credentialsIn(text)).toEqual([]);
  expect(await credentialsIn(`For the record: ${text} (Ann, in May)`)).toEqual([]);
});
