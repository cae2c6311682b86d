/** Asks for the health of a memory that this process may have opened a moment ago. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EngraphClient, HealthAnswer } from '../client/client.js';

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
