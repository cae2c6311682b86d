/**
 * Checks whether connected clients can start engraph: runs the command of each entry that is not skipped, and completes
 * an MCP handshake with it.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Environment } from '../config.js';
import { userSystem } from '../connect/config-file.js';
import { openConnections } from '../connect/connections.js';
import { type FoundEntry, findEntries } from '../connect/entries.js';
import type { Launch } from '../connect/launch.js';
import { messageOf } from '../domain/errors.js';
import { say } from './command.js';
import { LateError } from './process-guards.js';

/** Allows for the first start by `npx`, which downloads the package. */
const TIMEOUT_MS = 30_000;

/** Runs one check and prints its outcome. */
export type RunCheck = (name: string, run: () => Promise<string>) => Promise<boolean>;

/**
 * Starts the commands of all entries at once. Entries with the same command share one handshake.
 *
 * @returns a function that prints the outcomes, and resolves with whether every entry that was not skipped works
 */
export async function startClientChecks(environment: Environment): Promise<(check: RunCheck) => Promise<boolean>> {
  const entries = await findEntries(userSystem({ environment }), await openConnections(environment).all());
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

/** Clients pass only these variables of their environment to a server. */
const INHERITED =
  'HOME LOGNAME PATH SHELL TERM USER APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE'.split(
    ' ',
  );
const PROTOCOL_VERSION = '2025-11-25';
const CLOSE_DEADLINE_MS = 3000;
const MAX_STDERR_LENGTH = 4000;

interface Greeting {
  serverName: string;
  toolCount: number;
  tookMs: number;
}

/** @throws Error with the reason why the server did not answer, LateError if the time is over */
export async function greet(launch: Launch, environment: Environment, timeoutMs: number): Promise<Greeting> {
  const startedAt = performance.now();
  const child = start(launch, environment);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  try {
    const { serverName, toolCount } = await converse(child);
    return { serverName, toolCount, tookMs: performance.now() - startedAt };
  } catch (error) {
    if (isLate) throw new LateError(`${launch.command} gave no answer within ${timeoutMs / 1000} seconds`);
    throw error;
  } finally {
    clearTimeout(deadline);
    await end(child);
  }
}

function start({ command, args, env }: Launch, environment: Environment): ChildProcessWithoutNullStreams {
  const inherited = Object.fromEntries(INHERITED.map(name => [name, environment[name]]));
  const child = spawn(command, args, { env: { ...inherited, ...env }, windowsHide: true });
  // Ignore a failed write: the exit event reports that the program has ended.
  child.stdin.on('error', () => {});
  return child;
}

interface Message {
  id?: unknown;
  result?: { serverInfo?: { name?: unknown }; tools?: unknown };
  error?: { message?: unknown };
}

async function converse(child: ChildProcessWithoutNullStreams): Promise<Pick<Greeting, 'serverName' | 'toolCount'>> {
  const ask = asker(child);
  const hello = await ask('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'engraph doctor', version: '1' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const { tools } = await ask('tools/list', {});
  if (!Array.isArray(tools)) throw new Error('its answer to tools/list contains no list of tools');
  return { serverName: String(hello.serverInfo?.name ?? 'a server without a name'), toolCount: tools.length };
}

function asker(child: ChildProcessWithoutNullStreams) {
  const waiting = new Map<unknown, (message: Message | Error) => void>();
  let said = '';
  const fail = (error: Error) => {
    for (const answer of waiting.values()) answer(error);
  };
  child.stderr.setEncoding('utf8').on('data', text => {
    said = `${said}${text}`.slice(0, MAX_STDERR_LENGTH);
  });
  createInterface({ input: child.stdout }).on('line', line => {
    const message = readMessage(line);
    waiting.get(message?.id)?.(message ?? {});
  });
  child.once('error', error => fail(new Error(`${child.spawnfile} cannot be started: ${error.message}`)));
  child.once('close', (code, signal) =>
    fail(new Error(`${child.spawnfile} ended with ${code ?? signal} before it answered. ${reasonIn(said)}`.trim())),
  );
  return async (method: string, params: object): Promise<NonNullable<Message['result']>> => {
    const id = waiting.size;
    const answer = new Promise<Message | Error>(resolve => waiting.set(id, resolve));
    if (child.exitCode === null) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const message = await answer;
    if (message instanceof Error) throw message;
    if (message.result === undefined) throw new Error(`${method} was refused: ${message.error?.message}`);
    return message.result;
  };
}

/** Picks the line of stderr that explains a failure: the first line that mentions an error, otherwise the last line. */
function reasonIn(said: string): string {
  const lines = said.split('\n').filter(line => line.trim() !== '');
  return lines.find(line => /error/i.test(line)) ?? lines.at(-1) ?? '';
}

/** Parses a line of stdout. Ignores output that is not a message, because clients ignore it too. */
function readMessage(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Ends a server by closing its stdin. Kills the server if it does not end in time. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.stdin.end();
  const deadline = setTimeout(() => child.kill('SIGKILL'), CLOSE_DEADLINE_MS);
  await ended;
  clearTimeout(deadline);
}
