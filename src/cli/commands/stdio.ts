/** `engraph` without a command: serves MCP over stdin and stdout, and also serves REST. */
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryError } from '../../domain/errors.js';
import { assertSafeToListen } from '../../http/guards.js';
import type { Logger } from '../../log.js';
import { createMcpServer } from '../../mcp/server.js';
import { serveStdio } from '../../mcp/stdio.js';
import type { CommandParts } from '../command.js';
import { keepConsoleOffStdout, runUntilStopped } from '../process-guards.js';
import type { StdioMemory } from '../stdio-memory.js';

/** Opening the memory occupies the process, so the list of tools goes first. */
const TOOLS_FIRST_MS = 100;

/**
 * Opens the memory when the client reports that it is initialized, or when it calls the first tool. A process that only
 * answers a probe opens no memory.
 *
 * @returns the exit code, after the client has gone or a signal has arrived
 * @throws MemoryError when listening would be unsafe
 */
export function runStdio(parts: CommandParts): Promise<number> {
  const { config, log, version } = parts;
  keepConsoleOffStdout();
  return runUntilStopped(log, async run => {
    assertSafeToListen(config.host, config.apiToken);
    let prepared: Promise<StdioMemory> | undefined;
    const prepare = () => {
      prepared ??= import('../stdio-memory.js').then(({ prepareMemory }) => prepareMemory(parts));
      return prepared;
    };
    const handlers = async () => (await prepare()).handlers;
    const { content, isReadOnly } = config;
    const server = createMcpServer({ content, version, isReadOnly, workingFolder: workingFolder(), handlers });
    server.oninitialized = () => void openEarly(prepare, log);
    const session = await serveStdio(server, { onClose: reason => run.stop(reason), log });
    if (process.stdin.isTTY) printWaitingNotice(parts);
    run.closeLater(async () => {
      // Close the session before the memory, because calls in flight still need the memory.
      await session.close();
      await (await prepared)?.close();
    });
  });
}

/** @returns undefined if the folder was deleted */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Opens the memory before the first call. A failure is only logged here, because the first call reports it. */
async function openEarly(prepare: () => Promise<StdioMemory>, log: Logger): Promise<void> {
  try {
    const { open } = await prepare();
    // Hosts ask for the tools next. Codex gives its model only the tools that it has when the first turn begins.
    await pause(TOOLS_FIRST_MS);
    await open();
  } catch (error) {
    if (!(error instanceof MemoryError)) log.error('the memory cannot be opened', error);
    else log.error([`${error.message}.`, error.hint].filter(Boolean).join(' '));
  }
}

const WAITS = 'engraph is waiting for an assistant (an MCP client) to speak on stdin';
const COMMANDS = `You may want one of these instead:

  engraph connect   set up the assistants on this machine
  engraph serve     serve REST, and MCP over HTTP
  engraph help      show every command

Ctrl-C ends it.
`;

/** Prints to stderr, because stdout carries the protocol. */
function printWaitingNotice({ config, log }: Pick<CommandParts, 'config' | 'log'>): void {
  // Log collectors parse every line of stderr as JSON, so the notice must be JSON too.
  if (config.logFormat === 'json') log.info(WAITS);
  else process.stderr.write(`${WAITS}.\n${COMMANDS}`);
}
