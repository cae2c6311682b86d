/** Reads the command line. */

import { parseArgs } from 'node:util';
import type { Flags } from '../config.js';
import { messageOf } from '../domain/errors.js';

const COMMANDS = ['serve', 'view', 'doctor', 'status', 'migrate', 'consolidate', 'restore'] as const;
/** Those that take names after their own. */
const TAKES_NAMES: ReadonlySet<Command> = new Set(['consolidate', 'restore']);
/** `stdio` has no name on the command line: it is what runs when none is given. */
export type Command = 'stdio' | (typeof COMMANDS)[number];

/** Options of one command alone. */
export interface CommandOptions {
  from?: string;
  to?: string;
  apply?: boolean;
  /** What follows the name of the command. */
  names?: readonly string[];
}

/** The command that an option goes with. */
const COMMAND_OF: Readonly<Record<string, Command>> = { from: 'migrate', to: 'migrate', apply: 'consolidate' };

export type Invocation =
  | { show: 'help' | 'version' }
  | { show?: never; command: Command; flags: Flags; options: CommandOptions };

/** A command line that cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `engraph: long-term memory for AI assistants

Usage:
  engraph           MCP over stdin and stdout, plus the REST interface on HOST:PORT
  engraph serve     REST, and MCP over HTTP at /mcp, in the foreground, until SIGTERM or Ctrl-C
  engraph view      open the web page that shows the memory
  engraph doctor    check that storing, recalling and deleting work
  engraph status    say how the memory is, and what consolidation did and will do
  engraph consolidate [decay|creative|cluster|forget|full] [--apply]
                    say what would fade, be linked, grouped and forgotten; with --apply do it
  engraph restore [id ...]
                    bring deleted memories back; without an id list those that can be
  engraph migrate --from <side> --to <side>
                    copy a memory to other stores and compare; a side is 'embedded' (the data
                    folder), 'embedded:<dir>' or 'servers' (FALKORDB_... and QDRANT_...)
  engraph help      show this text
  engraph version   show the version

Options:
  --port <number>   port of the REST interface, 0 for any free one (PORT, default 8001)
  --host <name>     address it listens on (HOST, default 127.0.0.1)
  --data-dir <dir>  where memories are kept (ENGRAPH_DATA_DIR, default: your user data folder)
  --accept-loss     go on though memories that were here are missing (ENGRAPH_ACCEPT_LOSS)
  -h, --help        show this text
  -v, --version     show the version

Further settings are read from the environment; docs/configuration.md of the package lists them.
`;

/** @throws UsageError */
export function readArguments(argv: readonly string[]): Invocation {
  const { values, positionals } = parse(argv);
  const { help, version, from, to, apply, ...flags } = values;
  const [word] = positionals;
  if (help || word === 'help') return { show: 'help' };
  if (version || word === 'version') return { show: 'version' };
  for (const [name, value] of Object.entries(flags)) {
    if (typeof value === 'string' && value.trim() === '') throw new UsageError(`--${name} needs a value`);
  }
  const command = readCommand(positionals);
  const given = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(apply !== undefined && { apply }),
  };
  for (const option of Object.keys(given)) {
    if (COMMAND_OF[option] !== command) {
      throw new UsageError(`--${option} goes with 'engraph ${COMMAND_OF[option]}' only`);
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
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function readCommand([name, ...rest]: readonly string[]): Command {
  if (name === undefined) return 'stdio';
  const command = COMMANDS.find(candidate => candidate === name);
  if (command === undefined) throw new UsageError(`There is no command '${name}'`);
  if (rest.length > 0 && !TAKES_NAMES.has(command))
    throw new UsageError(`'${name}' takes no further argument, but got '${rest.join(' ')}'`);
  return command;
}
