/** Reads the command line. */
import { parseArgs } from 'node:util';
import { type Invocation, toFlags } from './arguments.js';

/**
 * Loads commander only if it is needed. Assistants start `engraph` without a command, and wait for it.
 *
 * @throws UsageError
 */
export async function readArguments(argv: readonly string[]): Promise<Invocation> {
  return readStart(argv) ?? (await import('./command-line.js')).parseCommandLine(argv);
}

/** Reads a command line that names no command, or only asks for the version. Undefined for every other one. */
function readStart(argv: readonly string[]): Invocation | undefined {
  if (argv.length === 1 && argv[0] === 'version') return { show: 'version' };
  let given: ReturnType<typeof parseStart>;
  try {
    given = parseStart(argv);
  } catch {
    return undefined;
  }
  const { version, port, host, 'data-dir': dataDir, 'accept-loss': acceptLoss } = given;
  if (version) return { show: 'version' };
  return { command: 'stdio', flags: toFlags({ port, host, dataDir, acceptLoss }), options: {} };
}

function parseStart(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'data-dir': { type: 'string' },
      'accept-loss': { type: 'boolean' },
      version: { type: 'boolean', short: 'v' },
    },
  }).values;
}
