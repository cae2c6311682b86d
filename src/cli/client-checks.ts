/**
 * Checks whether connected clients can start engraph: runs the command of each entry that is not skipped, and completes
 * an MCP handshake with it.
 */
import type { Environment } from '../config.js';
import { type FoundEntry, findEntries } from '../connect/entries.js';
import type { Launch } from '../connect/launch.js';
import { surroundingsOf } from '../connect/surroundings.js';
import { messageOf } from '../domain/errors.js';
import { openConnections } from './connections.js';
import { type Greeting, greet } from './handshake.js';
import { LateError } from './late-error.js';
import { say } from './say.js';

/** Allows for the first start by `npx`, which downloads the package. */
const TIMEOUT_MS = 30_000;

/** Runs one check and prints its outcome. */
export type Check = (name: string, run: () => Promise<string>) => Promise<boolean>;

/**
 * Starts the commands of all entries at once. Entries with the same command share one handshake.
 *
 * @returns a function that prints the outcomes, and resolves with whether every entry that was not skipped works
 */
export async function startClientChecks(environment: Environment): Promise<(check: Check) => Promise<boolean>> {
  const entries = await findEntries(surroundingsOf({ environment }), await openConnections(environment).all());
  const greetings = new Map<string, Promise<Greeting>>();
  const greetOnce = (launch: Launch): Promise<Greeting> => {
    const key = JSON.stringify([launch.command, launch.args, launch.env]);
    const greeting = greetings.get(key) ?? greet(launch, environment, TIMEOUT_MS);
    // The outcome is printed later, and a failure must not end the process before.
    greeting.catch(() => {});
    greetings.set(key, greeting);
    return greeting;
  };
  for (const entry of entries)
    if (whySkipped(entry) === undefined && entry.launch !== undefined) void greetOnce(entry.launch);
  return async check => {
    if (entries.length === 0) say("  skipped clients        no client starts engraph yet: run 'engraph connect'");
    let work = true;
    for (const entry of entries) {
      const reason = whySkipped(entry);
      if (reason !== undefined) say(`  skipped ${entry.client.padEnd(13)}  ${entry.file}: ${reason}`);
      else work = (await check(entry.client, () => describe(entry, greetOnce))) && work;
    }
    return work;
  };
}

function whySkipped({ isSwitchedOff, isForeign, launch, problem }: FoundEntry): string | undefined {
  if (problem !== undefined) return undefined;
  if (isForeign) return 'somebody else may have written the entry, so its command is not run';
  if (isSwitchedOff) return 'the entry is switched off';
  return launch === undefined ? 'the entry starts no command' : undefined;
}

async function describe(
  { file, launch, problem }: FoundEntry,
  greetOnce: (launch: Launch) => Promise<Greeting>,
): Promise<string> {
  if (launch === undefined) throw new Error(`${file}: ${problem}`);
  try {
    const { serverName, toolCount, tookMs } = await greetOnce(launch);
    return `the command in ${file} answers as ${serverName} with ${toolCount} tools after ${(tookMs / 1000).toFixed(1)} s`;
  } catch (error) {
    const reason = `the command in ${file} does not work: ${messageOf(error)}`;
    throw error instanceof LateError
      ? new LateError(reason)
      : new Error(`${reason}. If Engraph or Node was moved, run 'engraph connect' again`);
  }
}
