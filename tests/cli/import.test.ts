/** `engraph import` says what it left out, and imports nothing from a source with broken records unless it may. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runInProcess } from './in-process.js';
import { spawnEngraph, temporaryFolder } from './spawned-engraph.js';

const TIMEOUT_MS = 60_000;
/** A key that the documentation of its service uses as an example. It is written in two parts, because scanners of repositories look for keys. */
const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const EVERYTHING = 'Everything was imported.';

const run = (...args: string[]) => runInProcess(args);

async function folderWith(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const data = join(folder, 'data');
  return {
    path: (name: string) => join(folder, name),
    bring: (name: string, ...args: string[]) => run('import', join(folder, name), '--data-dir', data, ...args),
    contents: async () => {
      const { stdout } = await run('export', '-', '--data-dir', data);
      const lines = stdout.trim().split('\n');
      return lines.flatMap(line => JSON.parse(line).memory?.content ?? []).sort();
    },
  };
}

const GOOD = '{"content":"one"}\n{"content":"two"}\n';
const GRAPH = {
  entities: [{ name: 'Ann', entityType: 'person', observations: ['prefers tea'] }],
  relations: [{ from: 'Ann', to: 'Ann', relationType: 'knows' }],
};

describe('a source with broken records', () => {
  it('is refused with their lines, and with --skip-invalid the other records are imported', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { bring, contents, path } = await folderWith({
      'x.jsonl': `${GOOD}{"content":\n{"text":"three"}\n{"content":"four"}`,
    });
    const refused = await bring('x.jsonl');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('memories left out: 1, because the record is not valid JSON: line 3');
    expect(refused.stdout).toContain("memories left out: 1, because the record has no text in 'content': line 4");
    expect(refused.stderr).toBe(
      `engraph: Nothing was imported, because 2 records of ${path('x.jsonl')} cannot be read. The list above names them. ` +
        'Correct them, or add --skip-invalid to import everything else.\n',
    );
    expect(await contents()).toEqual([]);
    const skipped = await bring('x.jsonl', '--skip-invalid');
    expect(skipped).toMatchObject({ code: 1, stderr: '', stdout: expect.stringContaining('line 3') });
    expect(skipped.stdout).toContain('Not everything was imported: 2 records of the source were left out.');
    expect(skipped.stdout).not.toContain('Everything');
    expect(await contents()).toEqual(['four', 'one', 'two']);
    // Enrichment may have changed them by now.
    expect((await bring('x.jsonl', '--skip-invalid')).stdout).toContain('memories: 0 new, 0 updated');
    expect(await contents()).toEqual(['four', 'one', 'two']);
  });

  it('names each reason in a sentence', { timeout: TIMEOUT_MS }, async () => {
    const { bring } = await folderWith({
      'x.jsonl': `${GOOD}{"content":"half \\ud800"}`,
      'entities.jsonl':
        '{"type":"entity","name":"A","observations":null}\n{"type":"entity","name":"B"}\n{"type":"oops"}',
    });
    const { stdout } = await bring('x.jsonl', '--dry-run');
    expect(stdout).toContain("left out: 1, because 'content' must not contain half of a character: after 5");
    const entities = await bring('entities.jsonl', '--dry-run');
    expect(entities.stdout).toMatch(/^entities {2,}2 .* 1$/m);
    expect(entities.stdout).toContain('left out: 1, because the record is neither an entity nor a relation: line 3');
  });

  it('lists some lines and counts the rest', { timeout: TIMEOUT_MS }, async () => {
    const { bring } = await folderWith({ 'x.jsonl': `${GOOD}${'oops\n'.repeat(25)}` });
    const { stdout, code } = await bring('x.jsonl', '--dry-run');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /left out: 25, because the record is not valid JSON: line 3; line 4; .*line 12; and 15 more\n/,
    );
  });

  it.each([
    ['a list', 'x.json', `[{"content":"one"},{"content":"two"},{"tags":[]}]`],
    [
      'server-memory',
      'g.jsonl',
      `{"type":"entity","name":"two","entityType":"x","observations":[]}\n{"type":"entity"}`,
    ],
    ['mem0', 'm.json', `{"results":[{"id":"1","memory":"two"},{"id":"2"}]}`],
  ])('is refused as %s, too', { timeout: TIMEOUT_MS }, async (_, name, text) => {
    const { bring, contents } = await folderWith({ [name]: text });
    expect((await bring(name)).code).toBe(1);
    expect(await contents()).toEqual([]);
    expect((await bring(name, '--skip-invalid')).code).toBe(1);
    expect((await contents()).join()).toContain('two');
  });

  it('is refused as an export of Engraph, of which --skip-invalid imports the intact lines', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const source = await folderWith({ 'x.jsonl': `${GOOD}{"content":"three"}\n` });
    await source.bring('x.jsonl');
    const { stdout } = await run('export', '-', '--data-dir', source.path('data'));
    const lines = stdout.trim().split('\n');
    const at = lines.findIndex(line => line.includes('"content":"two"'));
    const cut = [...lines.with(at, lines[at]?.slice(0, 100) ?? ''), 'more'].join('\n');
    const { bring, contents, path } = await folderWith({ 'e.jsonl': cut });
    const refused = await bring('e.jsonl');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`engraph: ${path('e.jsonl')}: Line ${at + 1} is not valid JSON. Line`);
    expect(await contents()).toEqual([]);
    const skipped = await bring('e.jsonl', '--skip-invalid');
    expect([skipped.code, skipped.stderr]).toEqual([1, '']);
    expect(skipped.stdout).toContain(`skipped: Line ${at + 1} is not valid JSON.`);
    expect(skipped.stdout).not.toContain(EVERYTHING);
    expect(await contents()).toEqual(['one', 'three']);
  });
});

describe('"Everything was imported"', () => {
  it.each<[string, string]>([
    [
      'a list',
      JSON.stringify([
        { type: 'entity', ...GRAPH.entities[0] },
        { type: 'relation', ...GRAPH.relations[0] },
      ]),
    ],
    ['an object', JSON.stringify(GRAPH, null, 2)],
    ['lines', `${JSON.stringify({ type: 'entity', ...GRAPH.entities[0] })}\n`],
  ])('is said of a whole graph of server-memory as %s', { timeout: TIMEOUT_MS }, async (_, text) => {
    const { bring, contents } = await folderWith({ 'memory.json': text });
    const { code, stdout } = await bring('memory.json');
    expect([code, stdout]).toEqual([0, expect.stringContaining(EVERYTHING)]);
    expect(await contents()).toContain('Ann: prefers tea');
  });

  it('is not said if a relation has no end, although everything else is imported', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const graph = { ...GRAPH, relations: [{ from: 'Ann', to: 'Nobody', relationType: 'knows' }] };
    const { bring, contents } = await folderWith({ 'g.json': JSON.stringify(graph) });
    const { code, stdout } = await bring('g.json');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'relations left out: 1, because the record leads from or to an entity that is not in the file: relations item 1, line 1',
    );
    expect(stdout).toContain('Not everything was imported: 1 record of the source was left out.');
    expect(await contents()).toHaveLength(2);
  });

  it('is said if only what is no memory is passed over', { timeout: TIMEOUT_MS }, async () => {
    const memories = [
      { content: 'kept', content_hash: 'a' },
      { content: 'gone', content_hash: 'b', deleted_at: 5 },
    ];
    const { bring } = await folderWith({ 'm.json': JSON.stringify({ export_metadata: {}, memories }) });
    const { code, stdout } = await bring('m.json');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${EVERYTHING} 1 record of the source is no memory.`)]);
    expect(stdout).toContain('memories passed over: 1, because the record was deleted: memory 1');
  });
});

it.each<[string, string]>([
  ['basic-memory', '---\npermalink: todo\n---\n'],
  ['claude-code', '---\nmetadata:\n  type: project\n---\n'],
])('notes of the same name in two folders of %s are two memories', { timeout: TIMEOUT_MS }, async (form, front) => {
  const { bring, contents, path } = await folderWith({});
  for (const name of ['first', 'second']) {
    mkdirSync(path(name));
    writeFileSync(join(path(name), 'todo.md'), `${front}Note of the ${name} folder.`);
    const { stdout } = await bring(name, '--from', form);
    expect(stdout).toContain('memories: 1 new');
  }
  expect(await contents()).toEqual(['Note of the first folder.', 'Note of the second folder.']);
  expect((await bring('first')).stdout).toContain('memories: 0 new, 0 updated');
});

describe('credentials', () => {
  it.each<[string, object, string]>([
    ['content', { content: `The token is ${KEY}` }, 'line 2'],
    ['metadata', { content: 'three', metadata: { deep: [{ token: KEY }] } }, 'line 2'],
    ['tags', { content: 'three', tags: ['a', KEY] }, 'line 2'],
    ['another field', { content: 'three', note: KEY }, 'line 2'],
  ])(
    'in %s are reported without the secret, and left out unless they are allowed',
    {
      timeout: TIMEOUT_MS,
    },
    async (_, record, place) => {
      const { bring, contents } = await folderWith({ 'x.jsonl': `{"content":"one"}\n${JSON.stringify(record)}\n` });
      const tried = await bring('x.jsonl', '--dry-run');
      const left = await bring('x.jsonl');
      for (const { code, stdout } of [tried, left]) {
        expect(stdout).toMatch(
          new RegExp(`memories left out: 1, because the record seems to contain a credential \\(.+\\): ${place}\n`),
        );
        expect(stdout).toContain('Add --allow-credentials to import them, too.');
        expect(code).toBe(stdout.includes('Nothing was written') ? 0 : 1);
      }
      expect(left.stdout).not.toContain(EVERYTHING);
      expect(JSON.stringify([tried, left])).not.toContain(KEY);
      expect(await contents()).toEqual(['one']);
      const allowed = await bring('x.jsonl', '--allow-credentials');
      expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining(EVERYTHING)]);
      expect(await contents()).toHaveLength(2);
    },
  );

  it('in a file of rules, in a graph and in an export are left out, too', { timeout: TIMEOUT_MS }, async () => {
    const rules = `# Keys\n\n- Use tabs\n- Deploy with ${KEY}\n`;
    const graph = {
      entities: [{ name: 'Ann', entityType: 'x', observations: [`has ${KEY}`, 'likes tea'] }],
      relations: [],
    };
    const { bring, contents, path } = await folderWith({ 'CLAUDE.md': rules, 'g.json': JSON.stringify(graph) });
    expect((await bring('CLAUDE.md')).stdout).toContain('(GITHUB TOKEN): line 4');
    expect((await bring('g.json')).stdout).toContain('(GITHUB TOKEN): entities item 1, line 1, observation 1');
    expect(await contents()).toEqual(['Ann (x)', 'Ann: likes tea', 'Keys: Use tabs']);
    expect((await bring('CLAUDE.md', '--allow-credentials')).code).toBe(0);
    const { stdout } = await run('export', '-', '--data-dir', path('data'));
    const line = stdout.split('\n').findIndex(text => text.includes(KEY)) + 1;
    const other = await folderWith({ 'e.jsonl': stdout });
    const left = await other.bring('e.jsonl');
    expect(left.code).toBe(1);
    expect(left.stdout).toContain(
      `records left out: 1, because the record seems to contain a credential (GITHUB TOKEN): line ${line}\n`,
    );
    expect(left.stdout).toContain('compared: 3 memories equal, 0 kept in a later state, 0 differing');
    expect(JSON.stringify(left)).not.toContain(KEY);
    expect(await other.contents()).toHaveLength(3);
    expect((await other.bring('e.jsonl', '--allow-credentials')).code).toBe(0);
    expect(await other.contents()).toHaveLength(4);
  });
});

describe('a path that cannot be imported', () => {
  it.each<[string, string | Buffer, string]>([
    ['empty.json', '', ' is empty.'],
    ['blank.jsonl', '\uFEFF \n\n', ' is empty.'],
    ['utf16.json', Buffer.from('\uFEFF[{"content":"x"}]', 'utf16le'), ' is text in UTF-16. Save it in UTF-8.'],
    ['utf16.md', Buffer.from('# Title\n\n- one', 'utf16le'), ' is text in UTF-16. Save it in UTF-8.'],
    ['table.csv', 'content,tags\nfoo,a\n', ' is a table (CSV), which cannot be imported.'],
    ['table.txt', 'content;tags\n"a;b";c\n', ' is a table (CSV), which cannot be imported.'],
    ['picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), ' is a binary file of an unknown format.'],
    ['picture.md', Buffer.from([1, 0, 2, 3, 255, 4, 4, 4, 4]), ' is a binary file of an unknown format.'],
    ['diary.txt', 'Dear diary', ' does not look like the file of a known program.'],
    ['graph.json', '{"entities":[],"relations":[]}', ' has no memories.'],
    ['e.jsonl', '{"engraph_export":{"version":9}}\n', ': The file has version 9'],
  ])('is refused with one message: %s', { timeout: TIMEOUT_MS }, async (name, content, message) => {
    const { bring, path } = await folderWith({ [name]: content });
    const { code, stdout, stderr } = await bring(name);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^engraph: .*\n$/);
    expect(stderr).toContain(`${path(name)}${message}`);
  });

  it('is refused if it is missing, a folder, a pipe, or a file in place of a folder', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { bring, path } = await folderWith({ 'x.md': '- a\n' });
    mkdirSync(path('folder'));
    spawnSync('mkfifo', [path('pipe')]);
    const said = async (...args: [string, ...string[]]) => (await bring(...args)).stderr;
    expect(await said('none')).toBe(`engraph: There is no file or folder ${path('none')}.\n`);
    expect(await said('x.md/y')).toBe(`engraph: There is no file or folder ${path('x.md/y')}.\n`);
    expect(await said('folder')).toContain(`${path('folder')} does not look like the folder of a known program.`);
    expect(await said('folder', '--from', 'generic')).toBe(
      `engraph: ${path('folder')} is a folder, but an import from generic reads a file.\n`,
    );
    if (process.platform !== 'win32')
      expect(await said('pipe')).toContain(`${path('pipe')} is neither a file nor a folder.`);
  });
});

it('an import that is killed and repeated gives the same memories as one that ran through', {
  timeout: TIMEOUT_MS,
}, async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => JSON.stringify({ content: `fact ${index}`, tags: ['t'] }));
  const { bring, contents, path } = await folderWith({ 'x.jsonl': lines.join('\n') });
  for (let round = 0; round < 3; round++) {
    const { child, ended } = spawnEngraph(['import', path('x.jsonl'), '--data-dir', path('data')]);
    await wait(700 + 400 * round);
    child.kill('SIGKILL');
    await ended;
  }
  const last = await bring('x.jsonl');
  expect([last.code, last.stdout]).toEqual([0, expect.stringContaining(EVERYTHING)]);
  const stored = await contents();
  expect(stored).toHaveLength(3_000);
  expect(new Set(stored).size).toBe(3_000);
});
