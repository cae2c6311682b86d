/** Imports a file or folder of another program into an empty memory. */
import { expect, onTestFinished } from 'vitest';
import { importRecords, linesOfSource } from '../../src/transfer/import-records.js';
import { type FormName, openSource, recognize } from '../../src/transfer/recognize.js';
import type { SourceName } from '../../src/transfer/sources/source.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { emptyMemory } from './filled.js';

export function folderForTest(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/** Recognises a file and imports it, first as a dry run, then twice. */
export async function imported(path: string, expected: FormName, { skipsInvalid = false } = {}) {
  expect(await recognize(path)).toBe(expected);
  const source = await openSource(expected as SourceName, path);
  const target = await emptyMemory();
  const { limits } = target.test.engine;
  const run = (isDryRun: boolean) =>
    importRecords(() => linesOfSource(source, limits), {
      client: target.client,
      isDryRun,
      readsTypes: true,
      skipsInvalid,
      onProgress: () => {},
    });
  const tried = await run(true);
  expect((await target.test.engine.health()).graph).toMatchObject({ memoryCount: 0 });
  const first = await run(false);
  expect(first.memories).toEqual(tried.memories);
  expect(first.missing).toBe(0);
  await target.test.engine.idle();
  const second = await run(false);
  expect([second.memories.created, second.memories.updated, second.missing, second.edges.created]).toEqual([
    0, 0, 0, 0,
  ]);
  const memories = (await target.client.exportPage()).records.flatMap(line => ('memory' in line ? [line] : []));
  const holding = (text: string) => {
    const found = memories.filter(({ memory }) => memory.content.includes(text));
    expect(
      found.map(({ memory }) => memory.content),
      text,
    ).toHaveLength(1);
    return found[0] as (typeof memories)[number];
  };
  const authored = ({ relations }: (typeof memories)[number]) =>
    relations.filter(({ type }) => !['SIMILAR_TO', 'PRECEDED_BY'].includes(type));
  const leftOut = first.leftOut.groups().map(({ kind, count, problem }) => `${count} ${kind}: ${problem}`);
  const contents = memories.map(({ memory }) => memory.content).sort();
  const ids = memories.map(({ memory }) => memory.id).sort();
  return { target, first, memories, contents, ids, holding, authored, leftOut };
}
