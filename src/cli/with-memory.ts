/** Lets a command use the memory, no matter which process has it open. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngraphClient, HealthAnswer } from '../client/client.js';
import { systemClock } from '../engine/clock.js';
import { createLogger } from '../log.js';
import { createMemoryClient } from '../sharing/memory.js';
import { shareMemory } from '../sharing/shared-memory.js';
import type { CommandParts } from './command.js';

/** Time limit of a request: one hour, because a command over a large memory may take many minutes. */
const TIMEOUT_MS = 3_600_000;

export async function withMemory<Result>(
  { config, version }: CommandParts,
  use: (memory: EngraphClient) => Promise<Result>,
): Promise<Result> {
  // Switch off the log, because its lines would appear between the lines of the command's result.
  const log = createLogger('silent');
  const memory = shareMemory({ config, version, log, clock: systemClock });
  try {
    await memory.open();
    const { adminToken } = config;
    return await use(createMemoryClient({ memory, log, clock: systemClock, timeoutMs: TIMEOUT_MS, adminToken }));
  } finally {
    await memory.close();
  }
}

/** Like `withMemory`, but creates no data folder. If there is none, uses an empty memory in a temporary folder. */
export async function withMemoryUnchanged<Result>(
  parts: CommandParts,
  use: (memory: EngraphClient) => Promise<Result>,
): Promise<Result> {
  const { config } = parts;
  if (config.remote || existsSync(config.dataDir)) return withMemory(parts, use);
  const folder = await mkdtemp(join(tmpdir(), 'engraph-'));
  // Use the provider `hash`, because any other provider might download a model.
  const embedding = { ...config.embedding, provider: 'hash' as const };
  try {
    return await withMemory({ ...parts, config: { ...config, embedding, dataDir: join(folder, 'memory') } }, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Maximum time to wait. Several million vectors are read within this time. */
const READING_MAX_MS = 30_000;
const ASK_EVERY_MS = 250;

/**
 * Waits, for a limited time, until the embedded vectors of a memory that was just opened have been read. Before that,
 * the memory works, but its health is degraded.
 */
export async function openedHealth(memory: Pick<EngraphClient, 'health'>): Promise<HealthAnswer> {
  for (let waitedMs = 0; ; waitedMs += ASK_EVERY_MS) {
    const health = await memory.health();
    const isReading = health.vector_count === null && health.backend.vectors.startsWith('embedded');
    if (!isReading || waitedMs >= READING_MAX_MS) return health;
    await delay(ASK_EVERY_MS);
  }
}
