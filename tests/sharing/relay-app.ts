/** The application of a process with ENGRAPH_URL, and the service at that address. */
import type { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { createHttpApp, type HttpSettings } from '../../src/http/app.js';
import { listen } from '../../src/http/listen.js';
import { OPEN_SETTINGS, openTestApp } from '../http/test-app.js';
import { configOf, join, log } from './test-memory.js';

/** Creates the application of a relay to `url`, in the same way as `engraph serve`. */
export function relayTo(url: string, env: Record<string, string> = {}): Hono {
  const config = configOf({ ENGRAPH_URL: url, ...env });
  const { reach } = join(config);
  return createHttpApp({ reach, limits: config.input, settings: { ...OPEN_SETTINGS, ...config, version: '1' }, log });
}

/** Serves an application until the end of the test; returns its address. */
export async function addressOf(app: Pick<Hono, 'fetch'>): Promise<string> {
  const listener = await listen(app as Hono, { host: '127.0.0.1', port: 0, log });
  onTestFinished(() => listener.close());
  return listener.url;
}

/** A service with a memory, and its address. */
export async function openService(settings: Partial<HttpSettings>) {
  const service = await openTestApp(settings);
  const url = await addressOf(service.app);
  onTestFinished(service.close);
  return { ...service, url };
}
