/** Reads the command line. */

import { parseArgs } from 'node:util';
import type { Flags } from '../config.js';
import { messageOf } from '../domain/errors.js';

const COMMANDS = [
  'connect',
  'hook',
  'serve',
  'view',
  'doctor',
  'status',
  'migrate',
  'consolidate',
  'restore',
  'export',
  'import',
] as const;
/** Commands that accept positional arguments after the name of the command. */
const TAKES_NAMES: ReadonlySet<Command> = new Set(['connect', 'consolidate', 'restore', 'export', 'import']);
/** `stdio` runs if the command line names no command. */
export type Command = 'stdio' | (typeof COMMANDS)[number];

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
  'dry-run'?: boolean;
  'skip-invalid'?: boolean;
  'allow-credentials'?: boolean;
  /** The positional arguments after the name of the command. */
  names?: readonly string[];
}

/** The commands that each option belongs to. */
const COMMAND_OF: Readonly<Record<Exclude<keyof CommandOptions, 'names'>, Command | readonly Command[]>> = {
  from: ['migrate', 'import'],
  to: 'migrate',
  apply: 'consolidate',
  print: 'connect',
  remove: 'connect',
  project: 'connect',
  force: 'connect',
  yes: 'connect',
  env: 'connect',
  hooks: 'connect',
  plugin: 'connect',
  try: 'hook',
  since: 'export',
  format: 'export',
  'dry-run': 'import',
  'skip-invalid': 'import',
  'allow-credentials': 'import',
};

export type Invocation =
  | { show: 'help' | 'version' }
  | { show?: never; command: Command; flags: Flags; options: CommandOptions };

/** Reports a command line that Engraph cannot interpret. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `engraph: long-term memory for AI assistants

Usage:
  engraph           serve MCP over stdin and stdout, and the REST interface on HOST:PORT
  engraph connect [client ...] [--print | --remove]
                    configure the named clients to start engraph; without names, ask once and
                    configure every client found; --remove removes what was written
  engraph connect [client ...] --hooks
                    also add matching memories to each prompt automatically
  engraph connect --plugin <dir>
                    write one plugin for Claude Code and one for Codex into a folder
  engraph serve     serve REST and MCP (over HTTP at /mcp) in the foreground, until SIGTERM or Ctrl-C
  engraph view      open the web page that shows the memory
  engraph doctor    check storing, recalling and deleting, and whether clients can start engraph
  engraph status    show the state of the memory, and past and next runs of consolidation
  engraph consolidate [decay|creative|cluster|forget|full] [--apply]
                    list the changes that consolidation would make; with --apply make them
  engraph restore [id ...]
                    restore deleted memories; without an id, list the deleted memories
  engraph export <file> [--since <time>] [--format markdown]
                    write all data into a file ('-' is stdout), or Markdown notes into a folder
  engraph import <file or folder> [--from <source>] [--dry-run]
                    import an export of Engraph, the files of another memory service, or a file of
                    rules such as CLAUDE.md
  engraph migrate --from <side> --to <side>
                    copy a memory to other stores and compare; a side is 'embedded' (the data
                    folder), 'embedded:<dir>' or 'servers' (FALKORDB_... and QDRANT_...)
  engraph help      show this text
  engraph version   show the version

Options:
  --port <number>   port of the REST interface, 0 for any free port (PORT, default 8001)
  --host <name>     address to listen on (HOST, default 127.0.0.1)
  --data-dir <dir>  folder of the memories (ENGRAPH_DATA_DIR, default: your user data folder)
  --accept-loss     start although some stored memories are missing (ENGRAPH_ACCEPT_LOSS)
  --print           only show what connect would write
  --remove          remove exactly what connect wrote; with --force, every entry of engraph
  --project         write into the files of the project in this folder, not of the user
  --force           replace an entry that somebody else wrote; a copy is kept
  --yes             do not ask
  --hooks           also write hooks, or a file of rules for a client without suitable hooks
  --since <time>    export only records that were changed since this time (ISO 8601)
  --dry-run         only report what an import would write
  --skip-invalid    import the other records if some records of a file are broken
  --allow-credentials  import records that seem to contain a password or a key, too
  --env <name>      an environment variable that the clients pass to engraph; may be repeated
  -h, --help        show this text
  -v, --version     show the version

Further settings are read from the environment; docs/configuration.md of the package lists them.
`;

/** @throws UsageError */
export function readArguments(argv: readonly string[]): Invocation {
  const { values, positionals } = parse(argv);
  const { help, version, port, host, 'data-dir': dataDir, 'accept-loss': acceptLoss, ...given } = values;
  const flags = {
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(dataDir !== undefined && { 'data-dir': dataDir }),
    ...(acceptLoss !== undefined && { 'accept-loss': acceptLoss }),
  };
  const [word] = positionals;
  if (help || word === 'help') return { show: 'help' };
  if (version || word === 'version') return { show: 'version' };
  for (const [name, value] of Object.entries(flags)) {
    if (typeof value === 'string' && value.trim() === '') throw new UsageError(`--${name} needs a value`);
  }
  const command = readCommand(positionals);
  for (const option of Object.keys(given) as (keyof typeof given)[]) {
    const commands = [COMMAND_OF[option]].flat();
    if (!commands.includes(command)) {
      throw new UsageError(`--${option} can be used only with 'engraph ${commands.join("' and 'engraph ")}'`);
    }
  }
  const names = positionals.slice(1);
  return { command, flags, options: { ...given, ...(names.length > 0 && { names }) } };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'data-dir': { type: 'string' },
        'accept-loss': { type: 'boolean' },
        from: { type: 'string' },
        to: { type: 'string' },
        apply: { type: 'boolean' },
        print: { type: 'boolean' },
        remove: { type: 'boolean' },
        project: { type: 'boolean' },
        force: { type: 'boolean' },
        yes: { type: 'boolean' },
        env: { type: 'string', multiple: true },
        hooks: { type: 'boolean' },
        plugin: { type: 'string' },
        try: { type: 'string' },
        since: { type: 'string' },
        format: { type: 'string' },
        'dry-run': { type: 'boolean' },
        'skip-invalid': { type: 'boolean' },
        'allow-credentials': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    throw new UsageError(unknownOption(error) ?? messageOf(error));
  }
}

/**
 * Returns a shorter message for an unknown option. The message of Node also advises how to pass a file name that begins
 * with a dash, which is not useful here.
 */
function unknownOption(error: unknown): string | undefined {
  const option = /^Unknown option '([^']*)'/.exec(messageOf(error))?.[1];
  return option === undefined ? undefined : `The option '${option}' is unknown`;
}

function readCommand([name, ...rest]: readonly string[]): Command {
  if (name === undefined) return 'stdio';
  const command = COMMANDS.find(candidate => candidate === name);
  if (command === undefined) throw new UsageError(`The command '${name}' does not exist`);
  if (rest.length > 0 && !TAKES_NAMES.has(command))
    throw new UsageError(`'${name}' takes no further argument, but got '${rest.join(' ')}'`);
  return command;
}
