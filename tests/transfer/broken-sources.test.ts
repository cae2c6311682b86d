/**
 * Broken and hostile files of other programs are refused with a clear message. Nothing in them is executed, and no link
 * in them is followed.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { linesOfSource, type SourceLine } from '../../src/transfer/import-records.js';
import { notesIn } from '../../src/transfer/markdown/note-folder.js';
import { openSource, recognize } from '../../src/transfer/recognize.js';
import type { SourceName } from '../../src/transfer/sources/source.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testLimits } from '../support/test-limits.js';
import {
  automemGraph,
  automemTar,
  chatgptConversations,
  claudeMemFile,
  mcpServiceJson,
  mcpServiceSqlite,
  openmemoryZip,
  serverMemoryFile,
} from './foreign-files.js';
import { type ZipEntry, zipOf } from './zip-file.js';

function folderForTest(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

async function arriving(name: SourceName, path: string): Promise<SourceLine[]> {
  const source = await openSource(name, path);
  const found: SourceLine[] = [];
  for await (const each of linesOfSource(source, testLimits())) found.push(each);
  return found;
}

const contentsOf = (found: readonly SourceLine[]) =>
  found.flatMap(each => ('record' in each ? [each.record.memory.content] : []));
const problemsOf = (found: readonly SourceLine[]) => found.flatMap(each => ('problem' in each ? [each.problem] : []));

function fileWith(name: string, content: string | Buffer): string {
  const path = join(folderForTest(), name);
  writeFileSync(path, content);
  return path;
}

const zipWith = (...entries: ZipEntry[]) => fileWith('export.zip', zipOf(entries));

describe('a file that was cut off', () => {
  test.each<[SourceName, (folder: string) => string | Promise<string>, string]>([
    ['mcp-memory-service', mcpServiceJson, 'is not valid JSON; it may have been cut off'],
    ['mcp-memory-service', mcpServiceSqlite, 'cannot be read as an SQLite file'],
    ['claude-mem', claudeMemFile, 'cannot be read as an SQLite file'],
    ['openmemory', openmemoryZip, 'cannot be read as a zip file'],
    ['automem', automemTar, 'cannot be read'],
  ])('is refused if it comes from %s', async (name, make, message) => {
    const path = await make(folderForTest());
    truncateSync(path, Math.floor(readFileSync(path).length * 0.4));
    await expect(arriving(name, path)).rejects.toThrow(message);
  });

  test('has one broken line if it comes from server-memory', async () => {
    const path = serverMemoryFile(folderForTest());
    truncateSync(path, Math.floor(readFileSync(path).length * 0.4));
    const broken = (await arriving('server-memory', path)).filter(each => 'problem' in each);
    expect(broken).toEqual([{ kind: 'entities', place: 'line 3', problem: 'is not valid JSON' }]);
  });

  test('is refused if it comes from ChatGPT', async () => {
    const text = JSON.stringify(chatgptConversations());
    const path = fileWith('conversations.json', text.slice(0, -50));
    await expect(arriving('chatgpt', path)).rejects.toThrow('was cut off');
  });
});

describe('wrong types', () => {
  test('in single records cause only these records to be left out', async () => {
    const memories = [
      7,
      { content: 5 },
      { content: 'good', content_hash: 'h', tags: { a: 1 }, created_at: 'never', metadata: [1] },
    ];
    const found = await arriving('mcp-memory-service', fileWith('x.json', JSON.stringify({ memories })));
    expect(contentsOf(found)).toEqual(['good']);
    expect(problemsOf(found)).toEqual(['is not an object', 'has no content']);
  });

  test('that affect the whole file cause its refusal', async () => {
    await expect(arriving('mcp-memory-service', fileWith('x.json', '{"memories": 7}'))).rejects.toThrow(
      'must be an object with the list "memories"',
    );
    await expect(arriving('chatgpt', fileWith('conversations.json', '{"a": 1}'))).rejects.toThrow(
      'must be one JSON array',
    );
    await expect(arriving('openmemory', zipWith({ name: 'other.txt', content: 'x' }))).rejects.toThrow(
      'must be a zip file with memories.json',
    );
    await expect(arriving('claude', fileWith('x.zip', 'no zip'))).rejects.toThrow('cannot be read as a zip file');
  });

  test('in conversations cause only these conversations to be left out, and a cycle of messages is read once', async () => {
    const circle = {
      conversation_id: 'c',
      current_node: 'a',
      mapping: {
        a: {
          parent: 'b',
          children: ['b'],
          message: { author: { role: 'user' }, content: { parts: ['round', 3, null] }, create_time: 'x' },
        },
        b: { parent: 'a', children: ['a'], message: 'nothing' },
      },
    };
    const found = await arriving(
      'chatgpt',
      fileWith('conversations.json', JSON.stringify([circle, 'x', { mapping: [] }])),
    );
    expect(contentsOf(found)).toEqual(['User: round']);
    expect(problemsOf(found)).toEqual(['is not a conversation', 'is not a conversation']);
  });

  test('a text that is too long, or has NUL characters, is left out with the reason', async () => {
    const { contentMaxLength } = testLimits();
    const memories = [
      { content: 'x'.repeat(contentMaxLength + 1), content_hash: 'a' },
      { content: 'a\0b', content_hash: 'b' },
    ];
    const found = await arriving('mcp-memory-service', fileWith('x.json', JSON.stringify({ memories })));
    expect(problemsOf(found)).toEqual([
      expect.stringContaining("'content' must have at most"),
      "'content' must not contain NUL characters (U+0000)",
    ]);
  });
});

describe('hostile archives', () => {
  test('a zip bomb is not read', async () => {
    const bomb = zipWith({ name: 'memories.json', content: Buffer.alloc(64 * 1_048_576) });
    await expect(arriving('openmemory', bomb)).rejects.toThrow('grows to more than 200 times its size');
  });

  test('an entry that is larger than its header says is not read to its end', async () => {
    const lying = zipWith({ name: 'memories.json', content: Buffer.alloc(1_048_576), statedSize: 10 });
    await expect(arriving('openmemory', lying)).rejects.toThrow('cannot be read as a zip file');
  });

  test('a gzip bomb in a zip file or in a backup is not read', async () => {
    const gzip = gzipSync(Buffer.alloc(64 * 1_048_576));
    await expect(arriving('openmemory', zipWith({ name: 'memories.jsonl.gz', content: gzip }))).rejects.toThrow(
      'grows to more than',
    );
    const folder = folderForTest();
    mkdirSync(join(folder, 'falkordb'));
    writeFileSync(join(folder, 'falkordb', 'x.json.gz'), gzip);
    await create({ file: join(folder, 'x.tar'), cwd: folder }, ['falkordb']);
    await expect(arriving('automem', join(folder, 'x.tar'))).rejects.toThrow('grows to more than 200 times its size');
  });

  test.each(['../conversations.json', '/etc/conversations.json', 'C:\\conversations.json'])(
    'a zip file with the path %s is refused',
    async name => {
      await expect(arriving('claude', zipWith({ name, content: '[]' }))).rejects.toThrow(
        'cannot be read as a zip file',
      );
    },
  );

  test('a link in a tar file is not followed', async () => {
    const folder = folderForTest();
    mkdirSync(join(folder, 'falkordb'));
    writeFileSync(join(folder, 'secret.json'), JSON.stringify(automemGraph()));
    symlinkSync(join(folder, 'secret.json'), join(folder, 'falkordb', 'x.json'));
    await create({ file: join(folder, 'x.tar'), cwd: folder }, ['falkordb']);
    await expect(arriving('automem', join(folder, 'x.tar'))).rejects.toThrow(
      'must be a tar file with the folder "falkordb"',
    );
  });
});

describe('hostile folders', () => {
  test('symbolic links to files and folders are not followed', async () => {
    const [outside, inside] = [folderForTest(), folderForTest()];
    writeFileSync(join(outside, 'secret.md'), 'A secret.');
    symlinkSync(join(outside, 'secret.md'), join(inside, 'link.md'));
    symlinkSync(outside, join(inside, 'folder'));
    symlinkSync(inside, join(inside, 'circle'));
    writeFileSync(join(inside, 'MEMORY.md'), 'A plain note.');
    expect(contentsOf(await arriving('claude-code', inside))).toEqual(['A plain note.']);
  });

  test('notes with invalid front matter or not in UTF-8 are refused, and other notes are read', async () => {
    const folder = folderForTest();
    const bomb = `a: &a [x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]`;
    writeFileSync(join(folder, 'a.md'), `---\n${bomb}\n---\ntext`);
    writeFileSync(join(folder, 'b.md'), '---\n- a list\n---\ntext');
    writeFileSync(join(folder, 'c.md'), '---\ntitle: open\ntext');
    writeFileSync(join(folder, 'd.md'), Buffer.from([0xff, 0xfe, 0x41]));
    writeFileSync(join(folder, 'e.md'), '---\ntitle: "x\n---\ntext');
    writeFileSync(join(folder, 'f.md'), '---\ntitle: Six\n---\nA fine note.');
    const found = await arriving('basic-memory', folder);
    expect(contentsOf(found)).toEqual(['Six\n\nA fine note.']);
    expect(problemsOf(found)).toEqual([
      'The front matter must not contain YAML aliases',
      'The front matter must consist of fields and values',
      'The front matter has no closing line ---',
      'is not text in UTF-8',
      expect.stringContaining('The front matter is not valid YAML'),
    ]);
    const own: string[] = [];
    for await (const note of notesIn(folder)) own.push('problem' in note ? note.problem : note.record.memory.content);
    expect(own.filter(text => text === 'A fine note.')).toHaveLength(1);
  });
});

describe('an SQLite file', () => {
  test('stays unchanged, and the temporary copy of it is removed', async () => {
    const path = mcpServiceSqlite(folderForTest());
    const before = readFileSync(path);
    const copies = () => readdirSync(tmpdir()).filter(name => name.startsWith('engraph-import-'));
    const already = new Set(copies());
    await arriving('mcp-memory-service', path);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(copies().filter(name => !already.has(name))).toEqual([]);
  });

  test('with a view named like a table of claude-mem is not recognised as claude-mem', async () => {
    // The file has a view named like a table of claude-mem.
    expect(await recognize(mcpServiceSqlite(folderForTest()))).toBe('mcp-memory-service');
  });
});

test('a file of an unknown program is refused, and the error names the known programs', async () => {
  await expect(recognize(fileWith('x.txt', 'Dear diary'))).rejects.toMatchObject({
    message: expect.stringContaining('does not look like the file of a known program'),
    hint: expect.stringContaining('server-memory, mcp-memory-service, claude-code'),
  });
  await expect(recognize(folderForTest())).rejects.toThrow('does not look like the folder of a known program');
});
