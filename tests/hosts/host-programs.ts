/** How each host is installed, configured for a stand-in of its model, and asked something without its own interface. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trustCodexHooks } from './codex-trust.js';

export interface HostProgram {
  /** Name of the client on the command line of `engraph connect`. */
  name: string;
  title: string;
  package: string;
  /** Script of the package that links its binary. */
  script?: string;
  /** The command, from the folder of the installation. */
  command: (folder: string) => string[];
  /** Writes what a person has configured and confirmed before. */
  configure: (place: { home: string; modelUrl: string; repository: string }) => Promise<void>;
  /** File with the entry of the MCP server. */
  serverFile: (home: string) => string;
  /** What a person must confirm in the host after `engraph connect`. */
  confirm?: (home: string, run: HostRun) => Promise<void>;
  environment: (modelUrl: string) => Record<string, string>;
  first: (prompt: string) => string[];
  /** Continues the last session. */
  next: (prompt: string) => string[];
  /** Continues the last session and shortens the conversation before the answer. Absent if that was not tried. */
  compact?: readonly string[];
  /** Whether a hook can let the model go on at the end of a turn. */
  hasReminder?: true;
  /** The arguments with which the host may call a tool of engraph without asking. */
  mayCall: readonly string[];
  /** Lines that the host always prints. */
  ordinary: RegExp;
  /** The screen shows that the host takes a prompt. */
  ready: RegExp;
  /** Keys that end the host. */
  leave: readonly string[];
}

export interface HostRun {
  command: string[];
  environment: Record<string, string>;
  folder: string;
}

/** Not a key of anyone. */
const KEY = 'stand-in';
const MODEL = 'stand-in';

const CLAUDE_CODE: HostProgram = {
  name: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  script: 'install.cjs',
  command: folder => [join(folder, 'node_modules/.bin/claude')],
  configure: ({ home, repository }) => {
    const state = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [KEY], rejected: [] },
      projects: { [repository]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    return writeFile(join(home, '.claude.json'), JSON.stringify(state, undefined, 2));
  },
  serverFile: home => join(home, '.claude.json'),
  environment: modelUrl => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // The stand-in does not search for tools.
    ENABLE_TOOL_SEARCH: 'false',
  }),
  first: prompt => ['-p', prompt],
  next: prompt => ['-p', '--continue', prompt],
  compact: ['-p', '--continue', '/compact'],
  hasReminder: true,
  mayCall: ['--allowedTools', 'mcp__engraph'],
  ordinary: /^$/,
  ready: /\/effort/,
  leave: ['/exit', '\r'],
};

const CODEX: HostProgram = {
  name: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  command: folder => [join(folder, 'node_modules/.bin/codex')],
  configure: async ({ home, modelUrl, repository }) => {
    await mkdir(join(home, '.codex'), { recursive: true });
    const provider = `name = "${MODEL}"\nbase_url = "${modelUrl}/v1"\nenv_key = "STAND_IN_KEY"\nwire_api = "responses"`;
    const quiet = 'request_max_retries = 0\nstream_max_retries = 0\nsupports_websockets = false';
    await writeFile(
      join(home, '.codex', 'config.toml'),
      `model = "${MODEL}"\nmodel_provider = "${MODEL}"\n\n[model_providers.${MODEL}]\n${provider}\n${quiet}\n\n[analytics]\nenabled = false\n\n[features]\ndaemon_auto_start = false\n\n[projects.${JSON.stringify(repository)}]\ntrust_level = "trusted"\n`,
    );
  },
  serverFile: home => join(home, '.codex', 'config.toml'),
  confirm: (_home, run) => trustCodexHooks(run),
  environment: () => ({ STAND_IN_KEY: KEY }),
  first: prompt => ['exec', prompt],
  next: prompt => ['exec', 'resume', '--last', prompt],
  compact: ['exec', 'resume', '--last', '-c', 'model_auto_compact_token_limit=5', 'Please go on.'],
  hasReminder: true,
  mayCall: ['-c', 'mcp_servers.engraph.default_tools_approval_mode="approve"'],
  // It prints its settings and the name of each hook that it has run.
  ordinary:
    /^(?:$|OpenAI Codex|-+$|(?:workdir|model|provider|approval|sandbox|reasoning \w+|session id): |user$|codex$|tokens used$|\d+$|Reading additional input|hook: \w+(?: Completed)?$|hook: Stop Blocked$|context compacted$|mcp: engraph)|bubblewrap|Model metadata|helper binaries/,
  ready: /Ask Codex/,
  leave: ['/quit', '\r'],
};

const GEMINI: HostProgram = {
  name: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  command: folder => [process.execPath, join(folder, 'node_modules/.bin/gemini')],
  configure: async ({ home }) => {
    await mkdir(join(home, '.gemini'), { recursive: true });
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    };
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings, undefined, 2));
  },
  serverFile: home => join(home, '.gemini', 'settings.json'),
  environment: modelUrl => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: modelUrl, NO_BROWSER: 'true' }),
  first: prompt => ['-p', prompt],
  next: prompt => ['--resume', 'latest', '-p', prompt],
  mayCall: ['--yolo'],
  ordinary: /^$|True color|Ripgrep is not available|^\[STARTUP\]|YOLO mode/,
  ready: /Type your message/,
  leave: ['/quit', '\r'],
};

const OPENCODE: HostProgram = {
  name: 'opencode',
  title: 'OpenCode',
  package: 'opencode-ai',
  script: 'postinstall.mjs',
  command: folder => [join(folder, 'node_modules/.bin/opencode')],
  configure: async ({ home, modelUrl }) => {
    const folder = join(home, '.config', 'opencode');
    await mkdir(folder, { recursive: true });
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: MODEL,
      options: { baseURL: `${modelUrl}/v1`, apiKey: KEY },
      models: { [MODEL]: { name: MODEL, tool_call: true, limit: { context: 200_000, output: 8_000 } } },
    };
    const settings = {
      $schema: 'https://opencode.ai/config.json',
      autoupdate: false,
      share: 'disabled',
      model: `${MODEL}/${MODEL}`,
      small_model: `${MODEL}/${MODEL}`,
      enabled_providers: [MODEL],
      provider: { [MODEL]: provider },
    };
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(settings, undefined, 2));
  },
  serverFile: home => join(home, '.config', 'opencode', 'opencode.json'),
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  first: prompt => ['run', prompt],
  next: prompt => ['run', '--continue', prompt],
  mayCall: [],
  ordinary: /^$|^> build · |^⚙ engraph_/,
  ready: /Ask anything/,
  leave: ['/exit', '\r'],
};

export const HOST_PROGRAMS: readonly HostProgram[] = [CLAUDE_CODE, CODEX, GEMINI, OPENCODE];
