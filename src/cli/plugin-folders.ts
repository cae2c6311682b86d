/** `engraph connect --plugin`: writes the plugins for Claude Code and Codex. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Launch } from '../connect/launch.js';
import { pluginFiles } from '../connect/plugins.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import { say } from './say.js';

/**
 * Overwrites the files of an earlier run, and leaves other files in the folder unchanged.
 *
 * @returns the exit code
 * @throws MemoryError `invalid` if the folder cannot be written
 */
export async function writePlugins(folder: string, launch: Launch, version: string): Promise<number> {
  const root = resolve(folder);
  try {
    for (const [path, content] of pluginFiles({ launch, version, platform: process.platform })) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      say(`  written    ${file}`);
    }
  } catch (error) {
    throw new MemoryError('invalid', `The plugins cannot be written to ${root}: ${messageOf(error)}`);
  }
  say(`In Claude Code: /plugin marketplace add ${join(root, 'claude-code')}, then /plugin install engraph@engraph`);
  say(`In a shell for Codex: codex plugin marketplace add ${join(root, 'codex')} && codex plugin add engraph@engraph`);
  return 0;
}
