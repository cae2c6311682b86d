/** Answers a hook in this process, while no other process has the memory open. */
import { answerHook } from '../../api/hooks.js';
import { loadConfig } from '../../config.js';
import { MemoryError } from '../../domain/errors.js';
import { systemClock } from '../../engine/clock.js';
import { createLogger } from '../../log.js';
import { openForHook } from '../../sharing/brief-memory.js';
import { readVersion } from '../command.js';
import type { HookCall } from './ask.js';

/**
 * Opens the memory for this one answer and closes it. Processes that start meanwhile wait until then.
 *
 * @returns undefined if another process has taken the data folder meanwhile
 * @throws MemoryError if the memory cannot be opened, or cannot be written: the next hook would give the same again
 */
export async function answerHere({ event, body, flags }: HookCall, withinMs: number): Promise<object | undefined> {
  process.umask(0o077);
  const config = loadConfig(process.env, flags);
  const log = createLogger('silent');
  const memory = await openForHook({ config, version: readVersion(), log, clock: systemClock });
  if (memory === undefined) return undefined;
  try {
    const [refusal] = memory.refusals;
    if (refusal !== undefined) throw new MemoryError('unavailable', refusal);
    return await answerHook(memory.hooks, event, { ...body, within_ms: withinMs });
  } finally {
    await memory.close();
  }
}
