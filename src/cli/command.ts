/** What every command receives and uses: its parts, the version of the package, and a line of its result. */
import { readFileSync } from 'node:fs';
import type { Config, Environment, Flags } from '../config.js';
import { withoutSecrets } from '../domain/secrets.js';
import { onOneLine } from '../domain/shown-text.js';
import type { Logger } from '../log.js';
import type { CommandOptions } from './arguments.js';

export interface CommandParts {
  config: Config;
  log: Logger;
  version: string;
  options: CommandOptions;
  /** The flags and the environment from which the config was made. */
  flags: Flags;
  environment: Environment;
}

/** The manifest is two folders above this file, both in the sources and in the compiled code. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}

/** Prints one line of a command's result. */
export function say(line: string): void {
  process.stdout.write(`${onOneLine(withoutSecrets(line))}\n`);
}
