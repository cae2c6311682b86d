/** Checks which failed calls the record of calls to a store counts as failures. */
import { expect, test } from 'vitest';
import { MemoryError, StoreStarting } from '../../src/domain/errors.js';
import { watchStore } from '../../src/stores/store-watch.js';
import { createManualClock } from '../support/manual-clock.js';

function watchedStore(failure: Error) {
  const store = { search: () => Promise.reject(failure) };
  return watchStore(store, new Set(), createManualClock());
}

test.each([
  ['a store that cannot be reached counts', new MemoryError('unavailable', 'no answer'), 1],
  ['a store that still reads its data does not count', new StoreStarting('unavailable', 'still reading'), 0],
  ['invalid input does not count', new MemoryError('invalid', 'unknown filter'), 0],
])('the cause decides whether a failed call counts as a failure of the store: %s', async (_, failure, count) => {
  const { store, activity } = watchedStore(failure);
  await expect(store.search()).rejects.toBe(failure);
  expect(activity()).toMatchObject({ recentFailures: count, failures: count });
});
