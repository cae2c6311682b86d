/** Describes for the doctor what hooks gave lately, and which of them came too late or failed. */
import type { EngraphClient } from '../client/client.js';
import { plural } from '../domain/plural.js';
import { type HookFailure, readFailures } from './hook/failures.js';

/** Older failures say little about the present state. */
const LOOKED_BACK_MS = 7 * 86_400_000;

/** @returns undefined if no host has run a hook yet */
export async function reportHooks(memory: EngraphClient, folder: string, nowMs: number): Promise<string | undefined> {
  const since = new Date(nowMs - LOOKED_BACK_MS).toISOString();
  const failures = readFailures(folder).filter(({ at }) => at >= since);
  const { sessions } = await memory.hookLog();
  const recent = sessions.filter(({ updated_at }) => updated_at >= since);
  if (recent.length === 0 && failures.length === 0) return undefined;
  const given = recent.flatMap(({ injections }) => injections).length;
  const late = recent.reduce((sum, { silences }) => sum + (silences.too_late ?? 0) + (silences.failed ?? 0), 0);
  const gave = `memories were given ${plural(given, 'time')} in ${plural(recent.length, 'conversation')} of the last week`;
  const missed = late + failures.length;
  return missed === 0
    ? `${gave}, and never came too late`
    : `${gave}; ${plural(missed, 'hook')} came too late or failed${lastOf(failures)}`;
}

function lastOf(failures: readonly HookFailure[]): string {
  const last = failures.at(-1);
  return last === undefined ? '' : `, at last ${last.event} of ${last.host} at ${last.at}: ${last.reason}`;
}
