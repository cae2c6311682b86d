/** The checks of `engraph doctor` against answers of a service whose model is slow or broken. */
import { expect, test } from 'vitest';
import type { EngraphClient } from '../../src/client/client.js';
import { probeChecks } from '../../src/client/self-check.js';

const LATE = 'the question got no vector within 3 seconds';

/** A service in which the first `failures` questions get no vector, for this reason. */
function vectorsCheck(reason: string, failures: number) {
  let asked = 0;
  const client = {
    recall: async ({ query = '' }: { query?: string }) => {
      asked += 1;
      const works = asked > failures;
      const id = query.split(' ').at(-1);
      return {
        vector_search: { enabled: works },
        results: [{ id, explanation: { found_by: works ? ['vector'] : ['keyword'] } }],
      };
    },
    health: async () => ({ backend: { embedding_error: reason }, embedding: { pending: 0 } }),
  };
  return probeChecks(client as unknown as EngraphClient).find(({ name }) => name === 'vectors');
}

test('a model that is still being loaded is asked again', async () => {
  expect(await vectorsCheck(LATE, 2)?.run()).toBe('vector search finds the probe');
});

test('a model that fails is reported at once', async () => {
  await expect(vectorsCheck('the model does not exist', 1)?.run()).rejects.toThrow('the model does not exist');
});
