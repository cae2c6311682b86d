/** What a command line says. */
import type { Flags } from '../config.js';

/** The commands that people and programs may name. `stdio` runs if the command line names none. */
export type CommandName =
  | 'connect'
  | 'hook'
  | 'serve'
  | 'view'
  | 'doctor'
  | 'status'
  | 'store'
  | 'recall'
  | 'migrate'
  | 'consolidate'
  | 'restore'
  | 'export'
  | 'import';
export type Command = 'stdio' | CommandName;

/** Options that only some commands accept. */
export interface CommandOptions {
  from?: string;
  to?: string;
  apply?: boolean;
  print?: boolean;
  remove?: boolean;
  project?: boolean;
  force?: boolean;
  yes?: boolean;
  /** Environment variables that the clients will pass to engraph, each as NAME or NAME=VALUE. */
  env?: string[];
  hooks?: boolean;
  /** Folder into which the plugins are written. */
  plugin?: string;
  /** A prompt for which `engraph hook` shows what an assistant would get. */
  try?: string;
  since?: string;
  format?: string;
  dryRun?: boolean;
  skipInvalid?: boolean;
  allowCredentials?: boolean;
  tag?: string[];
  type?: string;
  importance?: string;
  /** Id of the memory that the new one replaces. */
  supersedes?: string;
  /** Words for the time of the memories. */
  time?: string;
  limit?: string;
  verbose?: boolean;
  json?: boolean;
  /** The positional arguments after the name of the command. */
  names?: readonly string[];
}

export type Invocation =
  | { show: 'help'; text: string }
  | { show: 'version' }
  | { show?: never; command: Command; flags: Flags; options: CommandOptions };

/** Exit code for a command line that cannot be read. */
export const EXIT_USAGE = 2;

/** Reports a command line that Engraph cannot interpret. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** The command whose help explains more. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

interface ServiceOptions {
  port?: string | undefined;
  host?: string | undefined;
  dataDir?: string | undefined;
  acceptLoss?: boolean | undefined;
}

/** @throws UsageError for an option without a value */
export function toFlags({ port, host, dataDir, acceptLoss }: ServiceOptions): Flags {
  const flags = {
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(dataDir !== undefined && { 'data-dir': dataDir }),
    ...(acceptLoss !== undefined && { 'accept-loss': acceptLoss }),
  };
  for (const [name, value] of Object.entries(flags)) {
    // Commander takes the next word as the value, even if it is an option.
    if (typeof value === 'string' && /^(?:\s*$|--)/.test(value)) throw new UsageError(`--${name} needs a value`);
  }
  return flags;
}
