/**
 * The settings of a hook are those of the server's entry, so that both open the same memory. A hook reads them where
 * `engraph connect` recorded the entry, because a token must not be on a command line. `engraph hook` loads this file at
 * each prompt, so it imports only what Node brings.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EntryPlaces {
  /** Path of the list of connections. */
  list: string;
  /** Folder of the plugin that contains the hook. */
  pluginFolder?: string | undefined;
}

/**
 * The environment variables of the server's entry of a host. They take precedence over those of the process.
 *
 * @param host name of the client
 * @returns an empty object if there is no entry, or if the file cannot be read
 */
export function entryVariables(host: string, { list, pluginFolder }: EntryPlaces): Record<string, string> {
  const entries = pluginFolder === undefined ? listedEntries(list, host) : pluginEntries(pluginFolder);
  return Object.assign({}, ...entries.map(variablesIn)) as Record<string, string>;
}

/** The environment variables in an entry of any client. */
export function variablesIn(entry: unknown): Record<string, string> {
  const found = ['env', 'envs', 'environment'].map(key => objectIn(entry, key)).find(each => each !== undefined);
  const variables = Object.entries(found ?? {});
  const given = variables.filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function listedEntries(list: string, host: string): unknown[] {
  const connections = (readJson(list) as { connections?: unknown } | undefined)?.connections;
  if (!Array.isArray(connections)) return [];
  const ofHost = connections.filter(each => each.client === host && each.isForProject === false);
  return ofHost.flatMap(({ pieces }) => (Array.isArray(pieces) ? pieces.map(piece => piece.value) : []));
}

function pluginEntries(folder: string): unknown[] {
  return Object.values(objectIn(readJson(join(folder, '.mcp.json')), 'mcpServers') ?? {});
}

function objectIn(value: unknown, key: string): Record<string, unknown> | undefined {
  const child = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof child === 'object' && child !== null ? (child as Record<string, unknown>) : undefined;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
