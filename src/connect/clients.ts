/**
 * The clients that can be connected, as data: where each keeps its servers, and what an entry looks like there. Places and
 * shapes were compared with the documentation and the source of each client on 2026-11-23.
 */
import type { JsonObject } from './format.js';
import type { Launch } from './launch.js';
import type { Surroundings } from './surroundings.js';

export interface Client {
  /** On our command line. */
  name: string;
  title: string;
  format: 'json' | 'toml';
  /** Where it may keep its configuration for this user. The first that exists counts, else the first. */
  files: (here: Surroundings) => readonly string[];
  /** The same for one project, below its folder. */
  projectFiles?: readonly string[];
  /** Keys that lead to the servers; of several the first that the file has, else the last. */
  serverPaths: readonly (readonly string[])[];
  entry: (launch: Launch) => JsonObject;
  /** Folders and files that show that it is installed, beside its configuration. */
  traces: (here: Surroundings) => readonly string[];
  /** Programs that show it. */
  programs: readonly string[];
  /** Where it reads hooks of this user that may call tools. */
  hooksFile?: (here: Surroundings) => string;
  /** Where it reads rules of this user for the model; absent where it has hooks. */
  rulesFile?: (here: Surroundings) => string;
  /** What its user has to do for the change to take effect. */
  afterwards: string;
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
    // User scope. It keeps much else in this file and writes it often.
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
    rulesFile: ({ environment, home, join }) => join(environment.GEMINI_CLI_HOME || home, '.gemini', 'GEMINI.md'),
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
    // Version 2 reads both, and writes the first.
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

/** The package for Windows reads its own copy of the roaming folder, and no other. */
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

/** Reads a command out of an entry, whoever wrote it and in whichever of the shapes. */
export function launchIn(entry: unknown): Launch | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { command, args, env, environment } = entry as Record<string, unknown>;
  const words = [command, args].flat().filter(word => typeof word === 'string');
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const variables = Object.entries((env ?? environment ?? {}) as object).filter(([, value]) => value !== null);
  return {
    command: program,
    args: rest,
    env: Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
  };
}
