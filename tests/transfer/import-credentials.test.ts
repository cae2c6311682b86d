/** `POST /admin/import` leaves out memories and nodes with credentials, and names them without the secret. */
import { describe, expect, test } from 'vitest';
import type { MemoryLine, NodeLine } from '../../src/api/transfer-records.js';
import { emptyMemory, UPDATED_AT } from './filled.js';

/** Written in two parts, because scanners of repositories look for keys. */
const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;

function line(number: number, given: Partial<MemoryLine['memory']>): MemoryLine {
  const memory = {
    id: `00000000-0000-4000-8000-00000000000${number}`,
    content: `fact ${number}`,
    type: 'Context' as const,
    confidence: 0.3,
    tags: [],
    importance: 0.5,
    metadata: {},
    timestamp: UPDATED_AT,
    updated_at: UPDATED_AT,
    last_accessed: UPDATED_AT,
    enriched: false,
    archived: false,
    ...given,
  };
  return { memory, work: [], relations: [], links: [] };
}

const node: NodeLine = {
  node: { kind: 'Pattern', id: 'p', properties: { deep: [{ text: `uses ${KEY}` }] }, updated_at: UPDATED_AT },
};
const records = [
  line(1, {}),
  line(2, { content: `The token is ${KEY}.` }),
  line(3, { tags: [KEY] }),
  line(4, { metadata: { list: [{ token: KEY }] } }),
  line(5, { summary: `Use ${KEY}` }),
  node,
];

describe('POST /admin/import', () => {
  test.each([false, true])('leaves out records with credentials (dry run: %s)', async dry_run => {
    const { client, test: target } = await emptyMemory();
    const answer = await client.importPage({ records, dry_run });
    expect(answer.credentials.map(({ id }) => id)).toEqual([
      ...[2, 3, 4, 5].map(number => `00000000-0000-4000-8000-00000000000${number}`),
      'Pattern/p',
    ]);
    expect(answer.credentials.every(({ kinds }) => kinds.length > 0)).toBe(true);
    expect(JSON.stringify(answer)).not.toContain(KEY);
    expect([answer.memories.created, answer.nodes.created]).toEqual([1, 0]);
    expect((await target.engine.health()).graph).toMatchObject({ memoryCount: dry_run ? 0 : 1 });
  });

  test('imports them with allow_credentials', async () => {
    const { client } = await emptyMemory();
    const answer = await client.importPage({ records, allow_credentials: true });
    expect(answer.credentials).toEqual([]);
    expect([answer.memories.created, answer.nodes.created]).toEqual([5, 1]);
  });
});
