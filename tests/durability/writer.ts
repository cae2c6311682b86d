/** A client that writes over REST as fast as it gets answers, until the service is gone. */
import type { Ledger, State } from './ledger.js';
import type { Random } from './random.js';

export const VECTOR_SIZE = 64;
/** A tag of every memory, so that all of them can be listed. */
export const TAG = 'ledger';

export interface Fields {
  content: string;
  importance: number;
  metadata: { round: number };
}

/** The fields of a memory that the ledger compares. */
export function stateOf({ content, importance, metadata }: Fields): string {
  return JSON.stringify([content, importance, metadata.round]);
}

/** A word that no other memory contains. */
export function wordOf(id: string): string {
  return `w${id.replaceAll('-', '')}`;
}

interface Request {
  method: string;
  path: string;
  body?: unknown;
  changes: Map<string, State>;
}

/** Writes until a request gets no answer. It changes and deletes only its own memories. */
export async function writeUntilGone(
  url: string,
  round: number,
  { ledger, random }: { ledger: Ledger; random: Random },
) {
  const own = new Map<string, Fields>();
  for (;;) {
    const { method, path, body, changes } = nextRequest(own, round, random);
    const acknowledge = ledger.begin(changes);
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (!response.ok)
        throw new RefusedError(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      acknowledge();
      await response.arrayBuffer();
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      return;
    }
  }
}

/** The service answered with an error status. */
class RefusedError extends Error {}

/** A write of a random kind. It changes and deletes only memories of `own`, and updates that list. */
export function nextRequest(own: Map<string, Fields>, round: number, random: Random): Request {
  const chance = random.next();
  const id = random.pick([...own.keys()]);
  if (id !== undefined && chance < 0.2) return patch(own, id, random);
  if (id !== undefined && chance < 0.35) {
    own.delete(id);
    return { method: 'DELETE', path: `/memory/${id}`, changes: new Map([[id, undefined]]) };
  }
  const isBatch = chance > 0.85;
  const items = Array.from({ length: isBatch ? random.between(2, 25) : 1 }, () => newMemory(round, random));
  for (const item of items) own.set(item.id, item);
  const changes = new Map(items.map(item => [item.id, stateOf(item)]));
  return isBatch
    ? { method: 'POST', path: '/memory/batch', body: items, changes }
    : { method: 'POST', path: '/memory', body: items[0], changes };
}

function patch(own: Map<string, Fields>, id: string, random: Random): Request {
  const before = own.get(id) as Fields;
  const importance = random.between(0, 100) / 100;
  const isRewritten = random.next() < 0.5;
  const content = isRewritten ? `${wordOf(id)} rewritten ${random.between(0, 999)}` : before.content;
  const after = { ...before, content, importance };
  own.set(id, after);
  const tags = random.next() < 0.5 ? [TAG, `tag:${random.between(0, 9)}`] : undefined;
  const body = { ...(isRewritten && { content }), importance, ...(tags && { tags }) };
  return { method: 'PATCH', path: `/memory/${id}`, body, changes: new Map([[id, stateOf(after)]]) };
}

function newMemory(round: number, random: Random): Fields & { id: string; tags: string[]; embedding?: number[] } {
  const id = random.uuid();
  const embedding = Array.from({ length: VECTOR_SIZE }, () => random.next() - 0.5);
  return {
    id,
    content: `${wordOf(id)} written in round ${round}`,
    importance: random.between(0, 100) / 100,
    metadata: { round },
    tags: [TAG],
    ...(random.next() < 0.1 && { embedding }),
  };
}
