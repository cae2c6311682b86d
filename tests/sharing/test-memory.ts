/** Simulates several processes on one data folder within one process. */
import { onTestFinished } from 'vitest';
import { type Config, loadConfig } from '../../src/config.js';
import { systemClock } from '../../src/engine/clock.js';
import { createMemoryApp } from '../../src/http/memory-app.js';
import { createLogger } from '../../src/log.js';
import { type SharedMemory, type SharedMemoryParts, shareMemory } from '../../src/sharing/shared-memory.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export const log = createLogger('silent');
export const VERSION = '1.2.3';

/** @param env settings by the names of their variables */
export function configOf(env: Record<string, string>): Config {
  return loadConfig({ VECTOR_SIZE: '64', EMBEDDING_PROVIDER: 'hash', ...env });
}

/** A folder that is removed after the test. */
export function testFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/** The memory of one process, closed at the end of the test. */
export function join(config: Config, parts: Partial<SharedMemoryParts> = {}): SharedMemory {
  const memory = shareMemory({ config, version: VERSION, log, clock: systemClock, ...parts });
  onTestFinished(() => memory.close());
  return memory;
}

/** Answers a request like the listener of a process. */
export async function answerOf({ reach }: SharedMemory, request: Request): Promise<Response> {
  const { engine, forward } = await reach();
  return engine ? createMemoryApp(engine, log).fetch(request) : forward(request);
}

/** Sends one request, with a JSON body if one is given. */
export async function send(memory: SharedMemory, route: string, json?: unknown, headers: Record<string, string> = {}) {
  const [method = 'GET', path = '/'] = route.split(' ');
  const init: RequestInit = { method, headers: { 'content-type': 'application/json', ...headers } };
  if (json !== undefined) init.body = JSON.stringify(json);
  const request = new Request(`http://test${path}`, init);
  const response = await answerOf(memory, request);
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  return { status: response.status, body: (await response.json()) as any };
}
