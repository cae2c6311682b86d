/**
 * Connects MCP over stdio to the memory. The module is loaded after the client has received the answer to `initialize`, and
 * the engine after the client has received the list of tools: Codex gives its model only the tools that it has when the
 * first turn begins.
 */

import { MemoryError } from '../domain/errors.js';
import { systemClock } from '../engine/clock.js';
import type { Listener } from '../http/listen.js';
import { createTrafficMetrics } from '../http/metrics/traffic-metrics.js';
import { createHandlers, type McpHandlers } from '../mcp/handlers.js';
import { createMemoryClient } from '../sharing/memory.js';
import type { SharedMemory } from '../sharing/shared-memory.js';
import type { CommandParts } from './command.js';

export interface StdioMemory {
  handlers: McpHandlers;
  /** Opens the memory before a tool is called. */
  open(): Promise<void>;
  /** May also be called while the memory is being opened. */
  close(): Promise<void>;
}

/** Opens the memory only on first use. The process that has the memory open also listens for REST. */
export function prepareMemory({ config, version, log }: CommandParts): StdioMemory {
  const metrics = createTrafficMetrics();
  let listening: Promise<Listener | undefined> | undefined;
  let isClosing = false;
  const listen = async (): Promise<Listener | undefined> => {
    try {
      const { startListener } = await import('./listener.js');
      const listener = await startListener({ memory, config, version, log, metrics, handlers });
      log.info(`REST is listening on ${listener.url}`);
      return listener;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      // Continue without REST, because MCP does not need it, and another program often uses the port.
      log.info(`${error.message}; MCP goes on without the REST interface`);
      return undefined;
    }
  };
  const onOpened = () => {
    // The memory is opened a second time if its folder could not be written at first.
    if (!isClosing) listening ??= listen();
  };
  let sharing: Promise<SharedMemory> | undefined;
  const share = () => {
    sharing ??= import('../sharing/shared-memory.js').then(({ shareMemory }) =>
      shareMemory({ config, version, log, clock: systemClock, onOpened }),
    );
    return sharing;
  };
  const { input: limits, content, isReadOnly } = config;
  const memory = { isReadOnly, reach: async () => (await share()).reach() };
  const tools = createMemoryClient({ memory, log, clock: systemClock });
  const observeCall = metrics.observeToolCall;
  const handlers = createHandlers({ memory: tools, limits, content, log, observeCall, isReadOnly });
  return {
    handlers,
    open: async () => void (await (await share()).open()),
    close: async () => {
      isClosing = true;
      await (await listening)?.close();
      await (await sharing)?.close();
    },
  };
}
