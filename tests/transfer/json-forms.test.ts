/** The forms in which programs write memories as JSON are told apart by their structure, and read completely. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importRecords, linesOfSource } from '../../src/transfer/import-records.js';
import { openSource, recognize } from '../../src/transfer/recognize.js';
import { folderForTest, imported } from './imported.js';

const data = (name: string) => join(import.meta.dirname, 'data', name);

function fileWith(name: string, text: string | Buffer): string {
  const path = join(folderForTest(), name);
  writeFileSync(path, text);
  return path;
}

async function found(path: string) {
  const name = await recognize(path);
  const each = [];
  for await (const record of (await openSource(name as never, path)).read()) each.push(record);
  return each;
}

describe('server-memory', () => {
  const entries = readFileSync(data('server-memory.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const graph = {
    entities: entries.filter(({ type }) => type === 'entity').map(({ type: _, ...entity }) => entity),
    relations: entries.filter(({ type }) => type === 'relation').map(({ type: _, ...relation }) => relation),
  };
  const lines = entries.map(entry => JSON.stringify(entry));

  test.each<[string, string]>([
    ['one list', JSON.stringify(entries)],
    ['one list over several lines', JSON.stringify(entries, null, 2)],
    ['an object with two lists', JSON.stringify(graph)],
    ['an object over several lines', JSON.stringify(graph, null, '\t')],
    [
      'an object with relations first and other fields',
      JSON.stringify({ version: [1, { a: ']' }], relations: graph.relations, n: '"}', entities: graph.entities }),
    ],
    ['lines with relations first', [...lines].reverse().join('\n')],
    ['lines with a byte order mark, CRLF and empty lines', `\uFEFF${lines.join('\r\n\r\n')}\r\n`],
  ])('as %s gives the same memories as its file', async (_, text) => {
    const file = await imported(data('server-memory.jsonl'), 'server-memory');
    const other = await imported(fileWith('graph.json', text), 'server-memory');
    expect(other.ids).toEqual(file.ids);
    expect(other.contents).toEqual(file.contents);
    expect(other.authored(other.holding('Anna (person)'))).toHaveLength(1);
    expect(other.leftOut).toEqual([]);
  });

  test('an entity with thousands of relations keeps all of them, in several memories', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `Customer number ${index}`);
    const text = JSON.stringify({
      entities: [
        { name: 'Hub', entityType: 'shop', observations: [] },
        ...names.map(name => ({ name, entityType: 'customer' })),
      ],
      relations: names.map(to => ({ from: 'Hub', to, relationType: 'delivers to' })),
    });
    const records = await found(fileWith('graph.json', text));
    const about = records.flatMap(each => ('content' in each && each.content.startsWith('Hub') ? [each.content] : []));
    expect(about.length).toBeGreaterThan(1);
    expect(Math.max(...about.map(content => content.length))).toBeLessThan(10_000);
    for (const name of names) expect(about.filter(content => content.includes(`${name}.`))).toHaveLength(1);
  });

  test.each([
    ['{"type":"entity","entityType":"person"}', 'is an entity without a name'],
    [
      '{"type":"entity","name":"A","entityType":"x","observations":["a",{"text":"b"}]}',
      'is an entity with observations that are not texts',
    ],
    ['{"type":"relation","from":"Anna","to":"Shop"}', 'is a relation without its ends or its type'],
    ['{"type":"note","name":"A"}', 'is neither an entity nor a relation'],
    ['["Anna"]', 'is not an object'],
    ['{"type":"entity","name":"Anna"', 'is not valid JSON'],
  ])('the line %s is named as broken', async (line, problem) => {
    const records = await found(fileWith('memory.jsonl', [lines[0], line, lines[1]].join('\n')));
    expect(records.filter(each => 'problem' in each)).toEqual([{ kind: 'entities', place: 'line 2', problem }]);
  });
});

describe('mem0', () => {
  test.each(['mem0-results.json', 'mem0-list.json', 'mem0-page.json', 'mem0-lines.jsonl'])(
    '%s keeps times, categories and metadata',
    async name => {
      const { holding, leftOut } = await imported(data(name), 'mem0');
      expect(holding('hazelnuts').memory).toMatchObject({
        content: 'Ann is allergic to hazelnuts',
        timestamp: '2025-07-20T23:57:00.108Z',
        tags: expect.arrayContaining(['health', 'food']),
        metadata: {
          app: 'kitchen',
          user_id: 'ann',
          origin: { source: 'mem0', id: '892db2ae-06d9-49e5-8b3e-585ef9b85b8e' },
        },
      });
      expect(holding('Tuesdays').memory).toMatchObject({
        updated_at: '2025-08-01T08:00:00.000Z',
        metadata: { agent_id: 'coach' },
      });
      expect(leftOut).toEqual([]);
    },
  );

  test('keeps no field twice, and a number as the id', async () => {
    const fields = {
      id: 7,
      memory: 'Ann rows',
      user_id: 'ann',
      createdAt: '2025-07-20T10:00:00Z',
      updatedAt: '2025-07-21T10:00:00Z',
    };
    const { holding } = await imported(fileWith('mem0.json', JSON.stringify([fields])), 'mem0');
    const { timestamp, metadata } = holding('Ann rows').memory;
    expect(timestamp).toBe('2025-07-20T10:00:00.000Z');
    expect(metadata).toMatchObject({ origin: { source: 'mem0', id: expect.stringMatching(/^7#/) } });
    expect(metadata).not.toHaveProperty('createdAt');
    expect(metadata).not.toHaveProperty('updatedAt');
  });

  test('gives the same ids in all forms, and a memory for each relation', async () => {
    const { ids } = await imported(data('mem0-list.json'), 'mem0');
    const whole = await imported(data('mem0-results.json'), 'mem0');
    expect(whole.ids).toEqual(expect.arrayContaining(ids));
    expect(whole.holding('ann lives in bonn.').memory.metadata).toMatchObject({ relationship: 'lives_in' });
  });

  test.each([
    ['{"results":[{"id":"1","memory":null}]}', 'results item 1, line 1'],
    ['{"results":[\n{"id":"0","memory":"fine"},\n{"id":"1"}]}', 'results item 2, line 3'],
    ['[{"id":"0","memory":"fine"},{"id":"1","memory":"  "}]', 'item 2, line 1'],
  ])('names a memory without text: %s', async (text, place) => {
    const records = await found(fileWith('mem0.json', text));
    expect(records.filter(each => 'problem' in each)).toEqual([
      { kind: 'memories', place, problem: "has no text in 'memory'" },
    ]);
  });
});

describe('the generic form', () => {
  test.each(['generic.jsonl', 'generic.json'])('%s keeps tags, times, types, importance and metadata', async name => {
    const { memories, holding, leftOut } = await imported(data(name), 'generic');
    expect(memories).toHaveLength(3);
    expect(holding('Deploys').memory).toMatchObject({
      type: 'Decision',
      timestamp: '2026-01-02T03:04:05.000Z',
      importance: 0.8,
      tags: expect.arrayContaining(['ops', 'shop']),
      metadata: { source: 'wiki', n: 3 },
    });
    expect(holding('kettle').memory).toMatchObject({
      content: 'The kettle is new.',
      timestamp: '2026-01-02T03:04:05.000Z',
      tags: expect.arrayContaining(['kitchen', 'home']),
      metadata: { original_type: 'recipe', color: 'red' },
    });
    expect(leftOut).toEqual([]);
  });

  test('gives the same ids as lines, as a list, as an object with a list, and as one object', async () => {
    const item = { content: 'Only text.', metadata: { list: [{ content: 'inner' }] } };
    const texts = [
      JSON.stringify(item),
      JSON.stringify(item, null, 2),
      JSON.stringify([item]),
      JSON.stringify({ version: 1, memories: [item] }, null, 2),
      `${JSON.stringify(item)}\n${JSON.stringify({ content: 'Another.' })}`,
    ];
    const ids = await Promise.all(
      texts.map(async text => (await imported(fileWith('x.json', text), 'generic')).holding('Only text').memory.id),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test('stores the records of two files that have the same numbers, and each of them once', async () => {
    const { target, holding } = await imported(
      fileWith('a.jsonl', '{"id":1,"content":"The shop opens at nine."}\n{"id":"2","content":"Ann likes tea."}'),
      'generic',
    );
    const path = fileWith('b.jsonl', '{"id":1,"content":"The kettle is new."}\n{"id":"2","content":"Ben left."}');
    const bring = async () => {
      const source = await openSource('generic', path);
      const { memories } = await importRecords(() => linesOfSource(source, target.test.engine.limits), {
        client: target.client,
        isDryRun: false,
        readsTypes: true,
        onProgress: () => {},
      });
      return memories;
    };
    expect(await bring()).toMatchObject({ created: 2, updated: 0 });
    expect(await bring()).toMatchObject({ created: 0, updated: 0 });
    const { memory } = await target.test.engine.get(holding('opens').memory.id);
    expect(memory.content).toBe('The shop opens at nine.');
  });

  test.each([
    ['{"text":"x"}', "has no text in 'content'"],
    ['{"content":""}', "has an empty 'content'"],
    ['{"content":["x"]}', "has no text in 'content'"],
    ['{"content":"x","tags":5}', "has 'tags' that are neither a list of texts nor a text"],
    ['{"content":"x","tags":["a",1]}', "has 'tags' that are neither a list of texts nor a text"],
    ['{"content":"x","timestamp":"soon"}', "has a 'timestamp' that is not a time, such as 2026-01-31T12:00:00Z"],
    ['{"content":"x","importance":7}', "has 'importance' that is not a number from 0 to 1"],
    ['{"content":"x","importance":"high"}', "has 'importance' that is not a number from 0 to 1"],
    ['{"content":"x","metadata":"free text"}', "has 'metadata' that are not an object"],
    ['{"content":"x","type":7}', "has a 'type' that is not a text"],
    ['{"content":"x"', 'is not valid JSON'],
    ['content: x', 'is not valid JSON'],
    ['"x"', 'is not an object'],
  ])('the line %s is named as broken, and the others are read', async (line, problem) => {
    const records = await found(fileWith('x.jsonl', `{"content":"one"}\n${line}\n{"content":"two"}\n`));
    expect(records.filter(each => 'problem' in each)).toEqual([{ kind: 'memories', place: 'line 2', problem }]);
    expect(records).toHaveLength(3);
  });

  test('a broken first line does not hide the form of the other lines', async () => {
    for (const first of ['{"content":"x"', '{"content":', 'oops', '{"content":"x","tags":["a}']) {
      const path = fileWith('x.jsonl', `${first}\n{"content":"one"}\n{"content":"two"}\n`);
      expect(await recognize(path), first).toBe('generic');
      expect((await found(path)).filter(each => 'content' in each)).toHaveLength(2);
    }
  });

  test('a broken item or the cut end of a list is named, and the other items are read', async () => {
    const records = await found(
      fileWith('x.json', '[\n{"content":"one"},\n{"content":two},\n{"content":"three"},\n{"con'),
    );
    expect(records.filter(each => 'problem' in each)).toEqual([
      { kind: 'memories', place: 'item 2, line 3', problem: 'is not valid JSON' },
      { kind: 'memories', place: 'item 4, line 5', problem: expect.stringContaining('the file was cut off') },
    ]);
    expect(records.filter(each => 'content' in each)).toHaveLength(2);
  });

  test('a tag that does not fit is kept in the metadata', async () => {
    const long = 'x'.repeat(5_000);
    const { holding } = await imported(
      fileWith('x.json', JSON.stringify([{ content: 'c', tags: ['a', long] }])),
      'generic',
    );
    expect(holding('c').memory).toMatchObject({ metadata: { further_tags: [long] } });
  });

  test('records with the same id and another text are broken, and equal records are passed over', async () => {
    const text = '{"id":"a","content":"one"}\n{"id":"a","content":"two"}\n{"id":"a","content":"one"}\n';
    const { leftOut, first } = await imported(fileWith('x.jsonl', text), 'generic', { skipsInvalid: true });
    expect(leftOut).toEqual([
      '1 memories: has the id of an earlier record, but another text',
      '1 memories: is in the source twice',
    ]);
    expect(first.leftOut.countOf('expected')).toBe(1);
  });
});

describe('a list that is read in small pieces', () => {
  test('is split in the same way, wherever a piece ends', async () => {
    const { jsonParts } = await import('../../src/transfer/sources/json-records.js');
    const text = Buffer.from('{"a":[1],"results" : [ {"x":"[\\"],\\\\"} , [1,2],\n"ü,", 3 ,\n],"z":{"results":[9]}}\n');
    for (let size = 1; size <= text.length; size++) {
      const pieces = (async function* () {
        for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
      })();
      const parts = [];
      for await (const part of jsonParts(pieces, 'x', ['results'])) parts.push('text' in part ? part.text : part);
      expect(parts, `${size} bytes`).toEqual(['{"x":"[\\"],\\\\"}', '[1,2]', '"ü,"', '3']);
    }
  });
});

test.each<[string, string]>([
  ['[{"content":"x","type":"entity"}]', 'generic'],
  ['[{"content":"She said \\"mapping\\" and \\"chat_messages\\": yes"}]', 'generic'],
  ['[{"content":"x","metadata":{"mapping":{}}}]', 'generic'],
  ['[{"memory":"x"}]', 'mem0'],
  ['[{"title":"t","mapping":{}}]', 'chatgpt'],
  ['[{"uuid":"u","chat_messages":[]}]', 'claude'],
  ['{"export_metadata":{},"memories":[{"content":"x","content_hash":"h"}]}', 'mcp-memory-service'],
  ['{"user":{},"apps":[],"memories":[{"id":"1","content":"x"}],"export_meta":{"version":"1"}}', 'openmemory'],
])('%s is recognised as %s', async (text, form) => {
  expect(await recognize(fileWith('data.txt', text))).toBe(form);
});
