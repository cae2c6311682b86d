/** Serves MCP over stdin and stdout, and ends the session cleanly, however the client disconnects. */
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Logger } from '../log.js';
import { DrainingStdioTransport } from './draining-transport.js';

export interface StdioOptions {
  /** Called once, with the reason, when the client has disconnected. The session must then be closed. */
  onClose(reason: string): void;
  log: Logger;
  input?: Readable;
  output?: Writable;
}

export interface StdioSession {
  /**
   * Stops reading, waits until all calls in flight are answered, and disconnects. Does not wait if the client no longer
   * reads answers.
   */
  close(): Promise<void>;
}

/**
 * Connects a server to stdin and stdout. The transport of the SDK alone would ignore the end of stdin, which leaves
 * orphaned processes behind, and would crash when stdout is closed.
 */
export async function serveStdio(server: Server, options: StdioOptions): Promise<StdioSession> {
  const { input = process.stdin, output = process.stdout, log } = options;
  const transport = new DrainingStdioTransport(input, output);
  let isGone = false;
  const gone = (reason: string) => {
    if (isGone) return;
    isGone = true;
    options.onClose(reason);
  };
  output.on('error', error => {
    transport.abandon();
    gone(`stdout is not writable: ${error.message}`);
  });
  server.onerror = error => log.warn(`the client sent an unreadable message: ${firstLine(error)}`);
  // Also called when the transport closes itself, for example because a message exceeds the read buffer.
  server.onclose = () => {
    transport.abandon();
    gone('the connection was closed');
  };
  input.on('end', () => gone('stdin has ended'));
  input.on('close', () => gone('stdin was closed'));
  await server.connect(transport);
  return {
    async close() {
      isGone = true;
      await transport.drained();
      await server.close();
    },
  };
}

function firstLine(error: Error): string {
  return error.message.split('\n', 1)[0] ?? '';
}
