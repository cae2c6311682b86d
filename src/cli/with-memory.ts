/** Lets a command use the memory, whichever process has it open. */
import type { EngraphClient } from '../client/client.js';
import { systemClock } from '../engine/clock.js';
import { createLogger } from '../log.js';
import { createMemoryClient } from '../sharing/memory-client.js';
import { shareMemory } from '../sharing/shared-memory.js';
import type { CommandParts } from './command.js';

/** A run over a large memory takes minutes. */
const TIMEOUT_MS = 3_600_000;

export async function withMemory<Result>(
  { config, version }: CommandParts,
  use: (memory: EngraphClient) => Promise<Result>,
): Promise<Result> {
  // The command prints its own result; log lines would disturb it.
  const log = createLogger('silent');
  const memory = shareMemory({ config, version, log, clock: systemClock });
  try {
    await memory.open();
    return await use(createMemoryClient(memory.fetch, log, { timeoutMs: TIMEOUT_MS, adminToken: config.adminToken }));
  } finally {
    await memory.close();
  }
}
