/** Reads the command line, runs the command, and turns a failure into a message and an exit code. */

import { setFlagsFromString } from 'node:v8';
import { EngraphError } from '../client/sender.js';
import { ConfigError, loadConfig } from '../config.js';
import { ConnectError } from '../connect/format.js';
import { MemoryError } from '../domain/errors.js';
import { withoutSecrets } from '../domain/secrets.js';
import { inBlock } from '../domain/shown-text.js';
import { createLogger } from '../log.js';
import { type Command, EXIT_USAGE, type Invocation, UsageError } from './arguments.js';
import { type CommandParts, readVersion } from './command.js';
import { exitWhenFlushed, logUnhandledRejections, tolerateClosedOutput } from './process-guards.js';
import { readArguments } from './read-arguments.js';

const EXIT_FAILURE = 1;

/** Loads the module of a command on demand, because `--help` and `--version` need none of these modules. */
const COMMAND_LOADERS: Record<Command, () => Promise<(parts: CommandParts) => Promise<number>>> = {
  stdio: async () => (await import('./commands/stdio.js')).runStdio,
  connect: async () => (await import('./commands/connect.js')).runConnect,
  hook: async () => (await import('./hook/try.js')).runTry,
  serve: async () => (await import('./commands/serve.js')).runServe,
  view: async () => (await import('./commands/view.js')).runView,
  doctor: async () => (await import('./commands/doctor.js')).runDoctor,
  store: async () => (await import('./commands/recall.js')).runStore,
  recall: async () => (await import('./commands/recall.js')).runRecallCommand,
  status: async () => (await import('./commands/doctor.js')).runStatus,
  consolidate: async () => (await import('./commands/consolidate.js')).runConsolidate,
  restore: async () => (await import('./commands/consolidate.js')).runRestore,
  export: async () => (await import('./commands/import.js')).runExport,
  import: async () => (await import('./commands/import.js')).runImport,
  migrate: async () => (await import('./commands/migrate.js')).runMigrate,
};

/** Runs the command line and ends the process. */
export async function main(argv: readonly string[]): Promise<never> {
  // From here on, create files that only this user can read.
  process.umask(0o077);
  tolerateClosedOutput();
  return exitWhenFlushed(await run(argv));
}

/**
 * Runs the command line in this process, which goes on afterwards.
 *
 * @returns the exit code
 */
export async function run(argv: readonly string[]): Promise<number> {
  return runArguments(argv).catch(error => report(error));
}

async function runArguments(argv: readonly string[]): Promise<number> {
  const invocation = await readArguments(argv);
  if (invocation.show !== undefined) {
    process.stdout.write(invocation.show === 'help' ? invocation.text : `${readVersion()}\n`);
    return 0;
  }
  return runCommand(invocation).catch(error => report(error, invocation.command));
}

async function runCommand(invocation: Exclude<Invocation, { show: string }>): Promise<number> {
  const config = loadConfig(process.env, invocation.flags);
  const log = createLogger(config.logLevel, config.logFormat);
  logUnhandledRejections(log);
  const command = await COMMAND_LOADERS[invocation.command]();
  limitHeapGrowth();
  try {
    return await command({
      config,
      log,
      version: readVersion(),
      options: invocation.options,
      flags: invocation.flags,
      environment: process.env,
    });
  } catch (error) {
    if (config.logFormat === 'text') throw error;
    // Print the reason as JSON, because log collectors parse every line of stderr. This line is printed at every log
    // level.
    const said = createLogger('error', 'json');
    if (error instanceof MemoryError) said.error(explanationOf(error));
    else said.error('internal error', error);
    return failureCodeOf(invocation.command);
  }
}

/** Prints the reason of a failure. An internal error is printed in full, because only the operator reads stderr. */
function report(error: unknown, command?: Command): number {
  if (error instanceof UsageError) {
    const explained = error.command ?? (command === 'stdio' ? undefined : command);
    const end = error.message.endsWith('?') ? '' : '.';
    complain(`${error.message}${end} Run '${['engraph', explained, '--help'].filter(Boolean).join(' ')}' for usage.`);
    return EXIT_USAGE;
  }
  if (error instanceof ConnectError) complain(`${error.message}.`);
  else if (error instanceof MemoryError) complain(explanationOf(error));
  else if (error instanceof EngraphError) complain([`${error.message}.`, error.details].filter(Boolean).join(' '));
  else if (error instanceof ConfigError) complain(`${error.message}.`);
  else complain(`internal error: ${error instanceof Error ? error.stack : String(error)}`);
  return failureCodeOf(command);
}

/** `recall` answers 1 if it has found nothing, so a failure is 2, as with grep. */
function failureCodeOf(command?: Command): number {
  return command === 'recall' ? EXIT_USAGE : EXIT_FAILURE;
}

function explanationOf({ message, hint }: MemoryError): string {
  return [`${message}.`, hint].filter(Boolean).join(' ');
}

function complain(text: string): void {
  process.stderr.write(`engraph: ${inBlock(withoutSecrets(text), '  ')}\n`);
}

/**
 * Percentage by which the heap may grow between two garbage collections. V8's own limit depends on the RAM of the
 * machine, and is often several times as high. At 60 %, a service with 100,000 memories takes about a quarter less RAM
 * than with V8's own limit, and recalls are not slower. At 20 %, recalls take a quarter longer.
 */
const GROWTH_PERCENT = 60;

/**
 * Sets the limit for the whole process. Call it after the modules are loaded, because V8 loads modules of Node more slowly
 * once a flag has changed.
 */
function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
