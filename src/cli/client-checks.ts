/**
 * Checks whether connected clients can start engraph: runs the command of each entry that is not skipped, and completes
 * an MCP handshake with it.
 */
import type { Environment } from '../config.js';
import { type FoundEntry, findEntries } from '../connect/entries.js';
import { surroundingsOf } from '../connect/surroundings.js';
import { openConnections } from './connections.js';
import { greet } from './handshake.js';
import { say } from './say.js';

/** Allows for the first start by `npx`, which downloads the package. */
const TIMEOUT_MS = 30_000;

/** Runs one check and prints its outcome. */
export type Check = (name: string, run: () => Promise<string>) => Promise<boolean>;

/** @returns whether every entry that was not skipped works */
export async function checkClients(environment: Environment, check: Check): Promise<boolean> {
  const entries = await findEntries(surroundingsOf({ environment }), await openConnections(environment).all());
  if (entries.length === 0) say("  skipped clients        no client starts engraph yet: run 'engraph connect'");
  let work = true;
  for (const entry of entries) {
    const reason = whySkipped(entry);
    if (reason !== undefined) say(`  skipped ${entry.client.padEnd(13)}  ${entry.file}: ${reason}`);
    else work = (await check(entry.client, () => greetFrom(entry, environment))) && work;
  }
  return work;
}

function whySkipped({ isSwitchedOff, isForeign, launch, problem }: FoundEntry): string | undefined {
  if (problem !== undefined) return undefined;
  if (isForeign) return 'somebody else may have written the entry, so its command is not run';
  if (isSwitchedOff) return 'the entry is switched off';
  return launch === undefined ? 'the entry starts no command' : undefined;
}

async function greetFrom({ file, launch, problem }: FoundEntry, environment: Environment): Promise<string> {
  if (launch === undefined) throw new Error(`${file}: ${problem}`);
  try {
    const { serverName, toolCount, tookMs } = await greet(launch, environment, TIMEOUT_MS);
    return `the command in ${file} answers as ${serverName} with ${toolCount} tools after ${(tookMs / 1000).toFixed(1)} s`;
  } catch (error) {
    throw new Error(`the command in ${file} does not work: ${error instanceof Error ? error.message : error}`);
  }
}
