/**
 * Draws the picture of the README. It shows two sessions of a real MCP client with the real binary, each in a separate
 * process, and the first line of `engraph status`.
 *
 *   npm run build:picture [-- --out other.svg]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { drawTerminal } from './terminal-svg.mjs';

const BINARY = fileURLToPath(new URL('../../bin/engraph.js', import.meta.url));
const PICTURE = fileURLToPath(new URL('../../docs/session.svg', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: PICTURE } } });
const ENVIRONMENT = { PATH: process.env.PATH, EMBEDDING_PROVIDER: 'hash' };

const FIRST = [
  [
    'store_memory',
    {
      content: 'We chose PostgreSQL as the database of the shop, because orders need transactions.',
      tags: ['project:shop'],
      importance: 0.9,
    },
  ],
  ['store_memory', { content: 'Ann wants short answers with code.', tags: ['people:ann'] }],
];
const SECOND = [
  ['recall_memory', { query: 'Which database did we choose for the shop?' }],
  ['recall_memory', { query: 'How does Ann want her answers?' }],
];

/** @returns the lines for the title, the calls and their answers */
async function runSession(title, calls, folder) {
  const args = [BINARY, '--port', '0', '--data-dir', folder];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: folder,
    env: ENVIRONMENT,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'picture', version: '0' });
  await client.connect(transport);
  const lines = [{ kind: 'title', text: title }];
  for (const [name, args] of calls) {
    lines.push({ kind: 'call', text: `${name} ${JSON.stringify(args)}` });
    const { content } = await client.callTool({ name, arguments: args });
    const answer = content.map(({ text }) => text).join('\n');
    lines.push(...answer.split('\n').map(text => ({ kind: 'answer', text })), { kind: 'answer', text: '' });
  }
  await client.close();
  return lines;
}

const folder = mkdtempSync(join(tmpdir(), 'engraph-picture-'));
try {
  const first = await runSession('A first session of an assistant', FIRST, folder);
  const second = await runSession('A later session, in another process', SECOND, folder);
  const status = execFileSync(process.execPath, [BINARY, 'status', '--data-dir', folder], { env: ENVIRONMENT });
  const shown = status.toString().trimEnd().split('\n').slice(0, 1);
  const command = [{ kind: 'title', text: '$ engraph status' }, ...shown.map(text => ({ kind: 'answer', text }))];
  writeFileSync(values.out, drawTerminal([...first, ...second, ...command]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
