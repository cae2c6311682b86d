/** Tells a person who has typed `engraph` alone that it waits for a program, and which commands are for people. */
import type { CommandParts } from './command.js';

const WAITS = 'engraph is waiting for an assistant (an MCP client) to speak on stdin';
const COMMANDS = `You may want one of these instead:

  engraph connect   set up the assistants on this machine
  engraph serve     serve REST, and MCP over HTTP
  engraph help      show every command

Ctrl-C ends it.
`;

/** On stderr, since stdout is the protocol. */
export function sayThatItWaits({ config, log }: Pick<CommandParts, 'config' | 'log'>): void {
  // Programs that collect the log read every line of stderr as JSON.
  if (config.logFormat === 'json') log.info(WAITS);
  else process.stderr.write(`${WAITS}.\n${COMMANDS}`);
}
