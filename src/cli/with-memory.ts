/** Lets a command use the memory, no matter which process has it open. */
import type { EngraphClient } from '../client/client.js';
import { systemClock } from '../engine/clock.js';
import { createLogger } from '../log.js';
import { createMemoryClient } from '../sharing/memory-client.js';
import { shareMemory } from '../sharing/shared-memory.js';
import type { CommandParts } from './command.js';

/** Allows for a run over a large memory, which takes minutes. */
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
    return await use(createMemoryClient(memory.fetch, log, { timeoutMs: TIMEOUT_MS, adminToken: config.adminToken }));
  } finally {
    await memory.close();
  }
}
