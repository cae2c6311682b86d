/** Data folders that the labs copy: the memories of memories.json, and optionally many others beside them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { BINARY, baseEnvironment } from './lab.js';
import MEMORIES from './memories.json' with { type: 'json' };

export { MEMORIES };
export type MemoryKind = keyof typeof MEMORIES;

const BATCH = 500;
const POLL_MS = 200;

/** @returns the data folder */
export async function seed(root: string, others: number): Promise<string> {
  const folder = join(root, `memories-${others}`);
  await mkdir(folder);
  const { url, stop } = await serve(root, folder);
  const filler = Array.from({ length: others }, (_, index) => ({
    content: `Ticket ${index}: the parcel of customer ${(index * 7919) % 10_007} was weighed at gate ${index % 41}.`,
    importance: 0.2,
    tags: ['archive'],
  }));
  const all = [...filler, ...Object.values(MEMORIES).flat()];
  for (let from = 0; from < all.length; from += BATCH) {
    const response = await fetch(`${url}/memory/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ memories: all.slice(from, from + BATCH) }),
    });
    if (!response.ok) throw new Error(`seeding failed: ${response.status} ${await response.text()}`);
  }
  await untilEmbedded(url);
  await stop();
  return folder;
}

async function serve(home: string, folder: string) {
  const args = [BINARY, 'serve', '--port', '0', '--data-dir', folder];
  const child = spawn(process.execPath, args, { env: baseEnvironment(home), stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /listening on (http:\/\/\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return {
      url,
      stop: async () => {
        child.kill('SIGTERM');
        await once(child, 'close');
      },
    };
  }
  throw new Error('engraph serve has ended');
}

/** Waits for the vectors, without which a memory is found only by its words. */
async function untilEmbedded(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/health`);
    const { embedding, enrichment } = (await response.json()) as Record<string, { pending?: number } | undefined>;
    if (embedding?.pending === 0 && enrichment?.pending === 0) return;
    await pause(POLL_MS);
  }
}
