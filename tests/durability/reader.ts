/** Reads the state of a running service from outside. */
import { expect } from 'vitest';
import type { HealthAnswer } from '../../src/api/health.js';
import type { MemoryAnswer } from '../../src/api/memories.js';
import type { RecallAnswer } from '../../src/api/recall.js';
import type { TagPageAnswer } from '../../src/api/tags.js';
import { type Fields, stateOf, TAG } from './writer.js';

const PAGE_SIZE = 200;
/** Number of parallel requests. */
const WIDTH = 8;

export async function read<Body>(url: string): Promise<Body> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** The state of every memory, by id. */
export async function readAll(url: string): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await read<TagPageAnswer>(`${url}/memory/by-tag?tags=${TAG}&limit=${PAGE_SIZE}&offset=${offset}`);
    for (const memory of page.memories) states.set(memory.id, stateOf(memory as unknown as Fields));
    if (!page.has_more) return states;
  }
}

/** The state of a memory, read by its id; undefined if it does not exist. */
export async function readOne(url: string, id: string): Promise<string | undefined> {
  const response = await fetch(`${url}/memory/${id}`);
  const body = await response.json();
  expect([200, 404]).toContain(response.status);
  return response.status === 404 ? undefined : stateOf(body as unknown as Fields & MemoryAnswer);
}

/** A list with the id of the best result of a recall, or an empty list. */
export async function recallIds(url: string, word: string): Promise<string[]> {
  const { results } = await read<RecallAnswer>(`${url}/recall?limit=1&query=${encodeURIComponent(word)}`);
  return results.map(({ id }) => id);
}

/** Waits until health reports this number of memories, as many vectors and no waiting work. */
export async function untilSynced(url: string, memoryCount: number): Promise<void> {
  await expect
    .poll(() => read<HealthAnswer>(`${url}/health`), { interval: 50, timeout: 10_000 })
    .toMatchObject({
      status: 'healthy',
      memory_count: memoryCount,
      vector_count: memoryCount,
      sync_status: 'synced',
      enrichment: { pending: 0, inflight: 0, failed: 0 },
    });
}

/** Runs `action` for each item, a few at a time. */
export async function forEachOf<Item>(items: readonly Item[], action: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await action(item);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
