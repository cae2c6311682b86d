/**
 * The schemas that clients publish for the entry of a server, without the fields for remote servers. Claude Desktop,
 * Claude Code, Cursor, Windsurf and Devin publish no schema. Their documentation shows the same `command`, `args` and
 * `env`.
 */

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;
const WORDS = { type: 'array', items: { type: 'string' } } as const;

/** The schema of a file with servers under `key`. The file may have other keys too. */
function holding(key: string, servers: object) {
  return { type: 'object', required: [key], properties: { [key]: { type: 'object', additionalProperties: servers } } };
}

export const PUBLISHED_SCHEMAS: Readonly<Record<string, object>> = {
  // microsoft/vscode (MIT), src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts: mcpStdioServerSchema
  vscode: {
    ...holding('servers', {
      type: 'object',
      additionalProperties: false,
      properties: {
        type: { type: 'string', enum: ['stdio'] },
        command: { type: 'string' },
        cwd: { type: 'string' },
        args: WORDS,
        envFile: { type: 'string' },
        env: {
          type: 'object',
          additionalProperties: { anyOf: [{ type: 'null' }, { type: 'string' }, { type: 'number' }] },
        },
        dev: { type: 'object' },
      },
    }),
    additionalProperties: false,
  },
  // openai/codex (Apache-2.0), codex-rs/core/config.schema.json: RawMcpServerConfig
  codex: holding('mcp_servers', {
    type: 'object',
    additionalProperties: false,
    properties: {
      command: { type: 'string' },
      args: WORDS,
      env: TEXTS,
      cwd: { type: 'string' },
      enabled: { type: 'boolean' },
      startup_timeout_sec: { type: 'number' },
      tool_timeout_sec: { type: 'number' },
    },
  }),
  // google-gemini/gemini-cli (Apache-2.0), schemas/settings.schema.json: MCPServerConfig
  gemini: holding('mcpServers', {
    type: 'object',
    additionalProperties: false,
    properties: {
      command: { type: 'string' },
      args: WORDS,
      env: TEXTS,
      cwd: { type: 'string' },
      type: { type: 'string', enum: ['stdio', 'sse', 'http'] },
      timeout: { type: 'number' },
      trust: { type: 'boolean' },
    },
  }),
  // opencode.ai/config.json, as typed in @opencode-ai/sdk 1.19.3 (MIT): McpLocalConfig
  opencode: holding('mcp', {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'command'],
    properties: {
      type: { type: 'string', enum: ['local'] },
      command: WORDS,
      cwd: { type: 'string' },
      environment: TEXTS,
      enabled: { type: 'boolean' },
      timeout: { type: 'integer' },
    },
  }),
};
