/**
 * Plugins for Claude Code and Codex. Each client gets a marketplace with one plugin, which starts the server and adds
 * hooks. The format was compared with the documentation of both clients on 2026-11-23.
 */
import type { JsonObject } from './format.js';
import { HOOK_HOSTS } from './hook-hosts.js';
import { hookLists } from './host-hooks.js';
import type { Launch } from './launch.js';

/** The content of each file by its path. Paths are relative and use forward slashes. */
export type PluginFiles = ReadonlyMap<string, string>;

const NAME = 'engraph';
const DESCRIPTION = 'Long-term memory: supplies memories that help with a prompt, and stores decisions';
const PLUGIN_FOLDER = `plugins/${NAME}`;

export interface PluginStart {
  launch: Launch;
  platform: NodeJS.Platform;
  /** Version of engraph. */
  version: string;
}

export function pluginFiles(start: PluginStart): PluginFiles {
  return new Map([...below('claude-code', claudeCodePlugin(start)), ...below('codex', codexPlugin(start))]);
}

function claudeCodePlugin(start: PluginStart): Record<string, JsonObject> {
  const { launch, version } = start;
  const plugin = { name: NAME, version, description: DESCRIPTION };
  return {
    '.claude-plugin/marketplace.json': {
      name: NAME,
      owner: { name: 'Engraph' },
      plugins: [{ ...plugin, source: `./${PLUGIN_FOLDER}` }],
    },
    [`${PLUGIN_FOLDER}/.claude-plugin/plugin.json`]: plugin,
    [`${PLUGIN_FOLDER}/.mcp.json`]: { mcpServers: { [NAME]: serverEntry(launch) } },
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: hooksFile('claude-code', start),
  };
}

function codexPlugin(start: PluginStart): Record<string, JsonObject> {
  const { launch, version } = start;
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
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: hooksFile('codex', start),
  };
}

/** With `--plugin` the hooks read their settings from the plugin's entry of the server. */
function hooksFile(name: string, { launch, platform }: PluginStart): JsonObject {
  const host = HOOK_HOSTS.find(each => each.name === name);
  return { hooks: host === undefined ? {} : hookLists(host, { launch, platform, options: ['--plugin'] }) };
}

function serverEntry({ command, args, env }: Launch): JsonObject {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function below(folder: string, files: Record<string, JsonObject>): [string, string][] {
  return Object.entries(files).map(([path, content]) => [`${folder}/${path}`, `${JSON.stringify(content, null, 2)}\n`]);
}
