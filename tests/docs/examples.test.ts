/**
 * Runs the examples in the documents. Only the address of the service is replaced. An example that is not run must
 * state the reason.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { SETTINGS_READ } from '../support/documented-settings.js';
import { blocksOf, type FencedBlock, fencedBlocks, PAGES } from '../support/documents.js';
import { readText } from '../support/source-code.js';
import { assignedNames, composeNames, openPage } from './run-page.js';
import { differenceFromJson, differenceFromText } from './shown-output.js';

const RUN = new Set(['sh', 'js', 'ts']);
const TIMEOUT_MS = 60_000;
/** The test that runs the graph queries of the documents. */
const CYPHER_TEST = 'tests/stores/falkordb-cypher.test.ts';

const blocks = PAGES.flatMap(blocksOf);
const pagesThatRun = PAGES.filter(page => blocksOf(page).some(isRun));

function isRun({ language, notRun }: FencedBlock): boolean {
  return notRun === undefined && RUN.has(language);
}

function placeOf({ page, line }: FencedBlock): string {
  return `${page}:${line}`;
}

/** Returns whether a block shows the output of the previous block. Such a block is compared with the real output. */
function isOutput(block: FencedBlock, before: FencedBlock | undefined): boolean {
  const shows = block.language === 'text' || block.language === 'json';
  return shows && block.isDirectlyAfter && before !== undefined && isRun(before);
}

describe('examples', () => {
  test.each(pagesThatRun)('of %s work', { timeout: TIMEOUT_MS }, async page => {
    const onPage = blocksOf(page);
    const runner = await openPage(onPage, onTestFinished);
    for (const [index, block] of onPage.entries()) {
      if (!isRun(block)) continue;
      const printed = await runner.run(block).catch((error: Error) => {
        throw new Error(`${placeOf(block)}: ${error.message}`);
      });
      const next = onPage[index + 1];
      if (next !== undefined && isOutput(next, block)) {
        const difference = next.language === 'json' ? differenceFromJson : differenceFromText;
        expect(difference(printed, next.code), placeOf(next)).toBeUndefined();
      } else expect(printed, placeOf(block)).not.toContain('"status":"error"');
    }
  });

  test('are run by a test, or state why no test runs them', () => {
    const runnerless = blocks.filter((block, index) => {
      if (isRun(block) || block.notRun !== undefined || block.language === 'text') return false;
      if (block.language === 'cypher') return !readText(CYPHER_TEST).includes('```cypher');
      return !isOutput(block, blocks[index - 1]) && clientEntries(block) === undefined;
    });
    expect(runnerless.map(placeOf)).toEqual([]);
  });

  test('set only existing settings', () => {
    const known = new Set([...SETTINGS_READ.keys(), ...composeNames(), 'REDISCLI_AUTH']);
    const unknown = blocks.flatMap(block =>
      assignedNames(block.code).flatMap(name => (known.has(name) ? [] : [`${placeOf(block)}: ${name}`])),
    );
    expect(unknown).toEqual([]);
  });
});

interface ClientEntry {
  type?: string;
  command?: string;
  args?: unknown;
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
}

/** Returns the servers in a client configuration. Returns undefined for every other block of code. */
function clientEntries({ language, code }: FencedBlock): ClientEntry[] | undefined {
  if (language !== 'json') return undefined;
  const { mcpServers, servers } = JSON.parse(code) as Record<string, Record<string, ClientEntry> | undefined>;
  const entries = mcpServers ?? servers;
  return entries && Object.values(entries);
}

function problemOf(entry: ClientEntry): string | undefined {
  const unknown = Object.keys(entry).find(key => !['type', 'command', 'args', 'env', 'url', 'headers'].includes(key));
  if (unknown !== undefined) return `'${unknown}' is no key of a server`;
  if (entry.url !== undefined) {
    if (!/^https?:\/\/.+\/mcp$/.test(entry.url)) return `'${entry.url}' must end with /mcp`;
    return entry.type === 'http' ? undefined : "a server with a url must have the type 'http'";
  }
  if (typeof entry.command !== 'string' || !Array.isArray(entry.args)) return 'a server needs a command and args';
  return Object.keys(entry.env ?? {}).find(name => !SETTINGS_READ.has(name));
}

describe('client configurations', () => {
  const example = fencedBlocks('mcp.json.example', `\`\`\`json\n${readText('mcp.json.example')}\`\`\`\n`);

  test('have only known keys and settings, and a valid url or command', () => {
    const entries = [...blocks, ...example].flatMap(block =>
      (clientEntries(block) ?? []).map(entry => ({ place: placeOf(block), problem: problemOf(entry) })),
    );
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });
  test('in mcp.json.example start the published package', () => {
    const entries = example.flatMap(block => clientEntries(block) ?? []);
    const { name } = JSON.parse(readText('package.json')) as { name: string };
    expect(entries).toEqual([{ command: 'npx', args: ['-y', name] }]);
  });
  test('in the documents cover stdio, HTTP with a token, and FalkorDB with Qdrant', () => {
    const entries = blocks.flatMap(block => clientEntries(block) ?? []);
    expect(entries).toContainEqual({ command: 'engraph', args: [] });
    expect(entries.some(({ headers }) => headers?.Authorization?.startsWith('Bearer '))).toBe(true);
    expect(entries.some(({ env = {} }) => 'FALKORDB_URL' in env && 'QDRANT_URL' in env)).toBe(true);
  });
  test('with a misspelt setting, without a command or with a wrong url are detected', () => {
    expect(problemOf({ command: 'engraph', args: [], env: { FALKOR_URL: 'x' } })).toBe('FALKOR_URL');
    expect(problemOf({ args: [] })).toContain('command');
    expect(problemOf({ type: 'http', url: 'http://127.0.0.1:8001' })).toContain('/mcp');
  });
});

describe('the output shown on a page', () => {
  test('may omit and shorten parts of the real output, but not change them', () => {
    const printed = '{"a":1,"b":{"c":[{"d":2,"e":"long text"}]}}';
    expect(differenceFromJson(printed, '{"b":{"c":[{"e":"long…"}]}}')).toBeUndefined();
    expect(differenceFromJson(printed, '{"b":{"c":[{"d":3}]}}')).toContain("at '.b.c.0.d'");
    expect(differenceFromJson(printed, '{"f":"…"}')).toContain("at '.f'");
    expect(differenceFromText('one\ntwo\nthree\n', 'one\n…\nth…e')).toBeUndefined();
    expect(differenceFromText('one\nthree\n', 'one\n…\nthree')).toBeUndefined();
    expect(differenceFromText('one\ntwo\n', 'one\n')).toContain('two');
  });
  test('is compared only if it directly follows the example, and text after the language of a fence is refused', () => {
    const [first, second, third] = fencedBlocks('x.md', '```sh\na\n```\n\n```json\n{}\n```\nthen\n```json\n{}\n```\n');
    expect([first, second, third].map(block => block?.isDirectlyAfter)).toEqual([false, true, false]);
    expect(() => fencedBlocks('x.md', '```sh never\na\n```\n')).toThrow('x.md:1');
    const skipped =
      '<!-- Not run by a test: no screen -->\n```sh\na\n```\n<!-- A test first runs:\nb\n-->\n```sh\nc\n```\n';
    expect(fencedBlocks('x.md', skipped)).toMatchObject([{ notRun: 'no screen' }, { before: 'b\n', code: 'c\n' }]);
    expect(assignedNames('export A_B=1 C_D=2\n"E_F": "3"\nx=4')).toEqual(['A_B', 'C_D', 'E_F']);
  });
});
