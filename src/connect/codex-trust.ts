/** Finds out whether Codex runs the hooks that `engraph connect` has written: the person must trust each of them once. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import type { Connection } from './connections.js';
import { isObject, valueAt } from './format.js';

/**
 * Codex keeps the trust in config.toml, as `hooks.state."<file of hooks>:<event>:<group>:<index>".trusted_hash`. It was read
 * with Codex 0.171.
 *
 * @returns the files of hooks in which fewer hooks are trusted than were written
 */
export async function untrustedHookFiles(connections: readonly Connection[]): Promise<string[]> {
  const ofCodex = connections.filter(({ client, format }) => client === 'codex' && format === 'hooks');
  const checked = await Promise.all(
    ofCodex.map(async ({ file, pieces }) => ((await trustedIn(file)) < pieces.length ? [file] : [])),
  );
  return checked.flat();
}

async function trustedIn(file: string): Promise<number> {
  try {
    const states = valueAt(parse(await readFile(join(dirname(file), 'config.toml'), 'utf8')), ['hooks', 'state']);
    const entries = Object.entries(isObject(states) ? states : {});
    return entries.filter(([key, state]) => key.startsWith(`${file}:`) && isObject(state) && state.trusted_hash).length;
  } catch {
    return 0;
  }
}
