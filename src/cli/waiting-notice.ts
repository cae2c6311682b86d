/**
 * Explains to a user who typed only `engraph` that the process waits for an MCP client, and names the commands for
 * people.
 */
import type { CommandParts } from './command.js';

const WAITS = 'engraph is waiting for an assistant (an MCP client) to speak on stdin';
const COMMANDS = `You may want one of these instead:

  engraph connect   set up the assistants on this machine
  engraph serve     serve REST, and MCP over HTTP
  engraph help      show every command

Ctrl-C ends it.
`;

/** Prints to stderr, because stdout carries the protocol. */
export function printWaitingNotice({ config, log }: Pick<CommandParts, 'config' | 'log'>): void {
  // Log collectors parse every line of stderr as JSON, so the notice must be JSON too.
  if (config.logFormat === 'json') log.info(WAITS);
  else process.stderr.write(`${WAITS}.\n${COMMANDS}`);
}
