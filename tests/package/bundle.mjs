/**
 * Builds the bundle (`.mcpb`) for one platform. Desktop assistants install a bundle with one click. SQLite is a
 * binary, so every platform needs a separate bundle. A bundle for this machine's platform is also started, and its
 * tools are compared with the manifest. Npm fetches the MCPB tool, which also checks the manifest.
 *
 *   npm run build:bundle -- [--platform linux-x64|linux-arm64|darwin-arm64|darwin-x64|win32-x64] [--out folder]
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const MCPB = '@anthropic-ai/mcpb@2.1.2';
const PARTS = ['package.json', 'package-lock.json', 'LICENSE', 'README.md', 'bin', 'dist'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = `${process.platform}-${process.arch}`;

const { values } = parseArgs({
  options: { platform: { type: 'string', default: HERE }, out: { type: 'string', default: tmpdir() } },
});

/** Runs a command and prints only its standard error output. */
function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Copies the files of the bundle into `folder`, installs its dependencies there and writes its manifest. */
function stage(folder, manifest) {
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  const [os, cpu] = values.platform.split('-');
  const libc = os === 'linux' ? ['--libc=glibc'] : [];
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', `--os=${os}`, `--cpu=${cpu}`, ...libc];
  run('npm', ['ci', ...flags], folder);
  rmSync(join(folder, 'package-lock.json'));
  const compatibility = { ...manifest.compatibility, platforms: [os] };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, compatibility }, null, 2));
}

/** @throws when the server of the bundle does not start, or its tools differ from those in the manifest */
async function askForTools(folder, manifest) {
  const args = [join(folder, manifest.server.entry_point), '--port', '0', '--data-dir', join(folder, 'data')];
  const env = { PATH: process.env.PATH, EMBEDDING_PROVIDER: 'hash' };
  const client = new Client({ name: 'bundle', version: '0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const { tools } = await client.listTools();
  await client.close();
  const names = list => JSON.stringify(list.map(({ name }) => name).sort());
  if (names(tools) !== names(manifest.tools)) throw new Error(`The server offers ${names(tools)}`);
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'manifest.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'engraph-bundle-'));
try {
  const staged = join(folder, 'staged');
  mkdirSync(staged);
  stage(staged, manifest);
  const packed = join(folder, 'engraph.mcpb');
  run('npx', ['--yes', MCPB, 'validate', join(staged, 'manifest.json')], folder);
  run('npx', ['--yes', MCPB, 'pack', staged, packed], folder);
  const unpacked = join(folder, 'unpacked');
  run('npx', ['--yes', MCPB, 'unpack', packed, unpacked], folder);
  if (values.platform === HERE) await askForTools(unpacked, manifest);
  const out = resolve(values.out, `engraph-${manifest.version}-${values.platform}.mcpb`);
  mkdirSync(resolve(values.out), { recursive: true });
  copyFileSync(packed, out);
  process.stdout.write(`${out}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
