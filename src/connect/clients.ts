/**
 * Describes the files of each client and the format of an entry in them. The descriptions were compared with the
 * documentation and the source of each client on 2026-11-23.
 */
import type { JsonObject } from './format.js';
import { variablesIn } from './hook-settings.js';
import type { Launch } from './launch.js';
import type { Surroundings } from './surroundings.js';

export interface Client {
  /** Name on the command line of `engraph connect`. */
  name: string;
  title: string;
  format: 'json' | 'toml';
  /**
   * Possible configuration files of this user. The first existing file is used. If no file exists, the first of the
   * list is used.
   */
  files: (here: Surroundings) => readonly string[];
  /** Possible configuration files of a project, relative to its folder. */
  projectFiles?: readonly string[];
  /**
   * Possible key paths to the servers. The first path that the file contains is used. If the file contains none, the
   * last of the list is used.
   */
  serverPaths: readonly (readonly string[])[];
  entry: (launch: Launch) => JsonObject;
  /** Further folders and files that show that the client is installed. */
  traces: (here: Surroundings) => readonly string[];
  /** Programs on the PATH that show that the client is installed. */
  programs: readonly string[];
  /** The file of this user's hooks. The client is then in the table of `hook-hosts.ts`. */
  hooksFile?: (here: Surroundings) => string;
  /** The file of this user's rules for the model. Set only if no hook of the client can give the model a text. */
  rulesFile?: (here: Surroundings) => string;
  /** The step that the user must take so that the change takes effect. */
  afterwards: string;
  /** The step after which changed hooks take effect. Absent if it is the same step as `afterwards`. */
  afterHooks?: string;
}

const MCP_SERVERS = [['mcpServers']];

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    files: here => [here.join(claudeDesktopFolder(here), 'claude_desktop_config.json')],
    serverPaths: MCP_SERVERS,
    entry: plainEntry,
    traces: here => [claudeDesktopFolder(here)],
    programs: [],
    afterwards: 'quit it and start it again',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    // The configuration in user scope. Claude Code keeps other state in this file and writes the file often.
    files: ({ environment, home, join }) => [join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json')],
    projectFiles: ['.mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: typedEntry,
    traces: ({ environment, home, join }) => [environment.CLAUDE_CONFIG_DIR || join(home, '.claude')],
    hooksFile: ({ environment, home, join }) =>
      join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
    programs: ['claude'],
    afterwards: 'start a new session',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    files: ({ home, join }) => [join(home, '.cursor', 'mcp.json')],
    projectFiles: ['.cursor/mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: typedEntry,
    traces: ({ home, join }) => [join(home, '.cursor')],
    programs: ['cursor', 'cursor-agent'],
    afterwards: 'switch the server on in its settings if it asks for that',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    files: ({ configHome, join }) => [join(configHome, 'Code', 'User', 'mcp.json')],
    projectFiles: ['.vscode/mcp.json'],
    serverPaths: [['servers']],
    entry: typedEntry,
    traces: ({ configHome, join }) => [join(configHome, 'Code', 'User')],
    programs: ['code'],
    afterwards: 'trust the server when it asks',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    files: ({ home, join }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    serverPaths: MCP_SERVERS,
    entry: plainEntry,
    traces: ({ home, join }) => [join(home, '.codeium', 'windsurf')],
    rulesFile: ({ home, join }) => join(home, '.codeium', 'windsurf', 'memories', 'global_rules.md'),
    programs: ['windsurf'],
    afterwards: 'refresh its list of MCP servers',
  },
  {
    name: 'devin',
    title: 'Devin',
    format: 'json',
    files: ({ platform, configHome, home, join }) => [
      join(platform === 'win32' ? configHome : join(home, '.config'), 'devin', 'config.json'),
    ],
    projectFiles: ['.devin/config.json'],
    serverPaths: MCP_SERVERS,
    entry: plainEntry,
    traces: ({ platform, configHome, home, join }) => [
      join(platform === 'win32' ? configHome : join(home, '.config'), 'devin'),
    ],
    programs: ['devin'],
    afterwards: 'start a new session',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    files: ({ environment, home, join }) => [join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml')],
    projectFiles: ['.codex/config.toml'],
    serverPaths: [['mcp_servers']],
    entry: plainEntry,
    traces: ({ environment, home, join }) => [environment.CODEX_HOME || join(home, '.codex')],
    hooksFile: ({ environment, home, join }) => join(environment.CODEX_HOME || join(home, '.codex'), 'hooks.json'),
    programs: ['codex'],
    afterwards: 'start a new session',
    afterHooks: 'start a new session, type /hooks and trust the hooks of engraph',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    files: ({ environment, home, join }) => [join(environment.GEMINI_CLI_HOME || home, '.gemini', 'settings.json')],
    projectFiles: ['.gemini/settings.json'],
    serverPaths: MCP_SERVERS,
    entry: plainEntry,
    traces: ({ environment, home, join }) => [join(environment.GEMINI_CLI_HOME || home, '.gemini')],
    hooksFile: ({ environment, home, join }) => join(environment.GEMINI_CLI_HOME || home, '.gemini', 'settings.json'),
    programs: ['gemini'],
    afterwards: 'start a new session',
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    format: 'json',
    files: ({ environment, home, join }) => {
      const folder = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
      return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')];
    },
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    // OpenCode 2 reads both paths and writes the first.
    serverPaths: [['mcp', 'servers'], ['mcp']],
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length > 0 && { environment: env }),
    }),
    traces: ({ environment, home, join }) => [join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')],
    rulesFile: ({ environment, home, join }) =>
      join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode', 'AGENTS.md'),
    programs: ['opencode'],
    afterwards: 'start a new session',
  },
];

/** Claude Desktop from the Windows package reads only the package's own copy of the roaming folder. */
function claudeDesktopFolder({ platform, packages, configHome, join, exists }: Surroundings): string {
  const folder = join(packages, 'Claude_pzs8sxrjxfjjc');
  const isPackaged = platform === 'win32' && exists(folder);
  return isPackaged ? join(folder, 'LocalCache', 'Roaming', 'Claude') : join(configHome, 'Claude');
}

function plainEntry({ command, args, env }: Launch): JsonObject {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function typedEntry(launch: Launch): JsonObject {
  return { type: 'stdio', ...plainEntry(launch) };
}

/** Reads the command of an entry in any of the formats that clients use. */
export function launchIn(entry: unknown): Launch | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { command, args } = entry as Record<string, unknown>;
  const words = [command, args].flat().filter(word => typeof word === 'string');
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  return { command: program, args: rest, env: variablesIn(entry) };
}
