/**
 * The table of clients: their files, the form of an entry in them, and the signs of an installation. The facts were
 * compared with the documentation, the source or the program of each client between 2026-11-23 and 2026-11-28.
 */
import type { JsonObject } from './format.js';
import { variablesIn } from './hook-hosts.js';
import type { Launch } from './launch.js';

const MCP_SERVERS = [['mcpServers']];
const PLAIN: EntryForm = {};
const STDIO: EntryForm = { extras: { type: 'stdio' } };

export const CLIENTS: readonly ConnectedClient[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    files: ['{claudeDesktop}/claude_desktop_config.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['{claudeDesktop}'],
    programs: [],
    afterwards: 'quit it and start it again; Settings > Developer shows the server',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    // The configuration in user scope. Claude Code keeps other state in this file and writes the file often.
    files: ['{CLAUDE_CONFIG_DIR|~}/.claude.json'],
    projectFiles: ['.mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: STDIO,
    traces: ['{CLAUDE_CONFIG_DIR|~/.claude}'],
    programs: ['claude'],
    hooksFile: '{CLAUDE_CONFIG_DIR|~/.claude}/settings.json',
    afterwards: 'start a new session; /mcp shows the server',
    afterHooks: 'start a new session; /hooks shows the hooks',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    files: ['~/.cursor/mcp.json'],
    projectFiles: ['.cursor/mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: STDIO,
    traces: ['~/.cursor'],
    programs: ['cursor', 'cursor-agent'],
    hooksFile: '~/.cursor/hooks.json',
    afterwards: 'switch the server on in Settings > MCP if it asks for that',
    afterHooks: 'start it again; Settings > Hooks shows the hooks',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    files: ['{config}/Code/User/mcp.json'],
    projectFiles: ['.vscode/mcp.json'],
    serverPaths: [['servers']],
    entry: STDIO,
    traces: ['{config}/Code/User'],
    programs: ['code'],
    hooksOf: ['claude-code', 'copilot'],
    afterwards: 'trust the server when it asks; "MCP: List Servers" shows it',
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    format: 'json',
    files: ['{COPILOT_HOME|~/.copilot}/mcp-config.json'],
    serverPaths: MCP_SERVERS,
    entry: { extras: { type: 'local', tools: ['*'] } },
    traces: ['{COPILOT_HOME|~/.copilot}'],
    programs: ['copilot'],
    hooksFile: '{COPILOT_HOME|~/.copilot}/hooks/engraph.json',
    afterwards: 'start a new session; /mcp shows the server',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    files: ['~/.codeium/windsurf/mcp_config.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.codeium/windsurf'],
    programs: ['windsurf'],
    rulesFile: '~/.codeium/windsurf/memories/global_rules.md',
    afterwards: 'refresh its list of MCP servers',
  },
  {
    name: 'devin',
    title: 'Devin',
    format: 'json',
    files: ['{devin}/config.json'],
    projectFiles: ['.devin/config.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['{devin}'],
    programs: ['devin'],
    hooksFile: '{devin}/config.json',
    afterwards: 'start a new session',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    files: ['{CODEX_HOME|~/.codex}/config.toml'],
    projectFiles: ['.codex/config.toml'],
    serverPaths: [['mcp_servers']],
    entry: PLAIN,
    traces: ['{CODEX_HOME|~/.codex}'],
    programs: ['codex'],
    hooksFile: '{CODEX_HOME|~/.codex}/hooks.json',
    afterwards: 'start a new session; /mcp shows the server',
    afterHooks:
      'start codex in a terminal and trust all hooks of engraph when it asks, or with /hooks; until then it runs none',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    files: ['{GEMINI_CLI_HOME|~}/.gemini/settings.json'],
    projectFiles: ['.gemini/settings.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    // Antigravity has its files in .gemini too.
    traces: ['{GEMINI_CLI_HOME|~}/.gemini/tmp'],
    programs: ['gemini'],
    hooksFile: '{GEMINI_CLI_HOME|~}/.gemini/settings.json',
    afterwards: 'start a new session; /mcp shows the server',
    afterHooks: 'start a new session; /mcp shows the server, /hooks the hooks',
  },
  {
    name: 'antigravity',
    title: 'Antigravity',
    format: 'json',
    files: ['~/.gemini/config/mcp_config.json', '~/.gemini/antigravity/mcp_config.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.gemini/config', '~/.gemini/antigravity', '~/.gemini/antigravity-cli'],
    rulesFile: '~/.gemini/GEMINI.md',
    programs: ['agy', 'antigravity'],
    afterwards: 'refresh its list of MCP servers',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    format: 'json',
    files: ['{QWEN_HOME|~/.qwen}/settings.json'],
    projectFiles: ['.qwen/settings.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['{QWEN_HOME|~/.qwen}'],
    programs: ['qwen'],
    hooksFile: '{QWEN_HOME|~/.qwen}/settings.json',
    afterwards: 'start a new session; /mcp shows the server',
    afterHooks: 'start a new session; /mcp shows the server, /hooks the hooks',
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    format: 'json',
    files: ['{xdg}/opencode/opencode.json', '{xdg}/opencode/opencode.jsonc'],
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    // OpenCode 2 reads both paths and writes the first.
    serverPaths: [['mcp', 'servers'], ['mcp']],
    entry: { extras: { type: 'local' }, env: 'environment', isOneList: true },
    traces: ['{xdg}/opencode'],
    programs: ['opencode'],
    hooksFile: '{xdg}/opencode/plugin/engraph.js',
    afterwards: 'start a new session',
  },
  {
    name: 'zed',
    title: 'Zed',
    format: 'json',
    files: ['{zed}/settings.json'],
    serverPaths: [['context_servers']],
    entry: { extras: { source: 'custom' } },
    traces: ['{zed}'],
    programs: ['zed', 'zeditor'],
    afterwards: 'open the settings of the agent panel, which show the server',
  },
  {
    name: 'cline',
    title: 'Cline',
    format: 'json',
    files: [
      '~/.cline/data/settings/cline_mcp_settings.json',
      '{config}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    ],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.cline', '{config}/Code/User/globalStorage/saoudrizwan.claude-dev'],
    programs: ['cline'],
    afterwards: 'look at its list of MCP servers',
  },
  {
    name: 'goose',
    title: 'Goose',
    format: 'yaml',
    files: ['{goose}/config.yaml'],
    serverPaths: [['extensions']],
    entry: {
      extras: { enabled: true, type: 'stdio', name: 'engraph', timeout: 300 },
      command: 'cmd',
      env: 'envs',
    },
    traces: ['{goose}'],
    rulesFile: '{goose}/.goosehints',
    programs: ['goose'],
    afterwards: 'start a new session',
  },
  {
    name: 'kiro',
    title: 'Kiro',
    format: 'json',
    files: ['~/.kiro/settings/mcp.json'],
    projectFiles: ['.kiro/settings/mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.kiro'],
    rulesFile: '~/.kiro/steering/engraph.md',
    programs: ['kiro', 'kiro-cli'],
    afterwards: 'start a new session; /mcp or the MCP view shows the server',
  },
  {
    name: 'junie',
    title: 'JetBrains Junie',
    format: 'json',
    files: ['~/.junie/mcp/mcp.json'],
    projectFiles: ['.junie/mcp/mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.junie'],
    rulesFile: '~/.junie/AGENTS.md',
    programs: ['junie'],
    afterwards: 'open Settings > Tools > Junie > MCP Settings, which show the server',
  },
  {
    name: 'amp',
    title: 'Amp',
    format: 'json',
    files: ['~/.config/amp/settings.json'],
    projectFiles: ['.amp/settings.json'],
    serverPaths: [['amp.mcpServers']],
    entry: PLAIN,
    traces: ['~/.config/amp'],
    rulesFile: '~/.config/amp/AGENTS.md',
    programs: ['amp'],
    afterwards: 'start a new session; `amp mcp list` shows the server',
  },
  {
    name: 'warp',
    title: 'Warp',
    format: 'json',
    files: ['~/.warp/.mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.warp'],
    programs: ['warp', 'warp-terminal'],
    afterwards: 'open Settings > MCP Servers, which shows the server',
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    format: 'json',
    files: ['~/.lmstudio/mcp.json'],
    serverPaths: MCP_SERVERS,
    entry: PLAIN,
    traces: ['~/.lmstudio'],
    programs: ['lms'],
    afterwards: 'switch the server on in the Program tab',
  },
];

/**
 * A path with `/`, which begins with a folder: `~` is the home folder, `{config}` and other words are in the table of
 * `targets.ts`, and `{NAME|folder}` is the folder in an environment variable, or else the other folder.
 */
export type PathTemplate = string;

export interface ConnectedClient {
  /** Name on the command line of `engraph connect`. */
  name: string;
  title: string;
  format: 'json' | 'toml' | 'yaml';
  /**
   * Possible configuration files of this user. The first existing file is used. If no file exists, the first of the
   * list is used.
   */
  files: readonly PathTemplate[];
  /** Possible configuration files of a project, relative to its folder. */
  projectFiles?: readonly string[];
  /**
   * Possible key paths to the servers. The first path that the file contains is used. If the file contains none, the
   * last of the list is used.
   */
  serverPaths: readonly (readonly string[])[];
  entry: EntryForm;
  /** Further folders and files that show that the client is installed. */
  traces: readonly PathTemplate[];
  /** Programs on the PATH that show that the client is installed. */
  programs: readonly string[];
  /** The file of this user's hooks. The client is then in the table of `hook-hosts.ts`. */
  hooksFile?: PathTemplate;
  /** Clients whose hooks this client runs too. */
  hooksOf?: readonly string[];
  /** The file of this user's rules for the model. Set only if no hook of the client can give the model a text. */
  rulesFile?: PathTemplate;
  /** The step that the user must take so that the change takes effect, and where the client shows the server. */
  afterwards: string;
  /** The step after which changed hooks take effect. Absent if it is the same step as `afterwards`. */
  afterHooks?: string;
}

/** The form of a server's entry. By default it has `command`, `args` and `env`. */
interface EntryForm {
  /** Values that stand before the command. */
  extras?: JsonObject;
  /** Name of the key with the command. */
  command?: string;
  /** Name of the key with the environment variables. */
  env?: string;
  /** Whether the command and its arguments are one list. */
  isOneList?: true;
}

export function entryOf({ entry }: Pick<ConnectedClient, 'entry'>, { command, args, env }: Launch): JsonObject {
  const { extras, command: commandKey = 'command', env: envKey = 'env', isOneList } = entry;
  return {
    ...extras,
    ...(isOneList ? { [commandKey]: [command, ...args] } : { [commandKey]: command, args }),
    ...(Object.keys(env).length > 0 && { [envKey]: env }),
  };
}

/** Reads the command of an entry in any of the forms that clients use. */
export function launchIn(entry: unknown): Launch | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { command, cmd, args } = entry as Record<string, unknown>;
  const words = [command ?? cmd, args].flat().filter(word => typeof word === 'string');
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  return { command: program, args: rest, env: variablesIn(entry) };
}
