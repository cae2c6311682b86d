/**
 * Plugins for Claude Code and Codex. Each client gets a marketplace with one plugin, which starts the server and adds
 * hooks that call the server. The format was compared with the documentation of both clients on 2026-11-23.
 */
import type { JsonObject } from './format.js';
import { hookLists } from './host-hooks.js';
import type { Launch } from './launch.js';

/** The content of each file by its path. Paths are relative and use forward slashes. */
export type PluginFiles = ReadonlyMap<string, string>;

const NAME = 'engraph';
const DESCRIPTION = 'Long-term memory: supplies memories that help with a prompt, and stores decisions';
const PLUGIN_FOLDER = `plugins/${NAME}`;

export function pluginFiles(launch: Launch, version: string): PluginFiles {
  return new Map([
    ...below('claude-code', claudeCodePlugin(launch, version)),
    ...below('codex', codexPlugin(launch, version)),
  ]);
}

function claudeCodePlugin(launch: Launch, version: string): Record<string, JsonObject> {
  const plugin = { name: NAME, version, description: DESCRIPTION };
  return {
    '.claude-plugin/marketplace.json': {
      name: NAME,
      owner: { name: 'Engraph' },
      plugins: [{ ...plugin, source: `./${PLUGIN_FOLDER}` }],
    },
    [`${PLUGIN_FOLDER}/.claude-plugin/plugin.json`]: plugin,
    [`${PLUGIN_FOLDER}/.mcp.json`]: { mcpServers: { [NAME]: serverEntry(launch) } },
    // In Claude Code, the name of a plugin's server is `plugin:<plugin>:<server>`.
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: { hooks: hookLists(`plugin:${NAME}:${NAME}`) },
  };
}

function codexPlugin(launch: Launch, version: string): Record<string, JsonObject> {
  return {
    '.agents/plugins/marketplace.json': {
      name: NAME,
      plugins: [
        {
          name: NAME,
          source: { source: 'local', path: `./${PLUGIN_FOLDER}` },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    },
    [`${PLUGIN_FOLDER}/.codex-plugin/plugin.json`]: {
      name: NAME,
      version,
      description: DESCRIPTION,
      mcpServers: './.mcp.json',
      hooks: './hooks/hooks.json',
    },
    [`${PLUGIN_FOLDER}/.mcp.json`]: { mcpServers: { [NAME]: serverEntry(launch) } },
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: { hooks: hookLists(NAME) },
  };
}

function serverEntry({ command, args, env }: Launch): JsonObject {
  return { command, args, env: { ...env, ENGRAPH_HOOKS: 'true' } };
}

function below(folder: string, files: Record<string, JsonObject>): [string, string][] {
  return Object.entries(files).map(([path, content]) => [`${folder}/${path}`, `${JSON.stringify(content, null, 2)}\n`]);
}
