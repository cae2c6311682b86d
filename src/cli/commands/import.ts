/** `engraph import`: brings an export back. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MemoryError } from '../../domain/errors.js';
import { type ImportedFile, importFile } from '../../transfer/import-file.js';
import { UsageError } from '../arguments.js';
import type { CommandParts } from '../command.js';
import { say } from '../say.js';
import { createProgress } from '../transfer-progress.js';
import { withMemory } from '../with-memory.js';

const SAMPLE_MAX = 10;

/**
 * @returns 0 when everything has arrived, else 1
 * @throws UsageError, MemoryError as `importFile`
 */
export async function runImport(parts: CommandParts): Promise<number> {
  const { names: [source, ...rest] = [], 'dry-run': isDryRun = false } = parts.options;
  if (source === undefined || rest.length > 0) throw new UsageError("'import' takes the name of one file or folder");
  const path = resolve(source);
  // Before the memory is opened: a name may be mistyped.
  if (!existsSync(path)) throw new MemoryError('invalid', `There is no file or folder ${path}`);
  const progress = createProgress();
  return withMemory(parts, async client => {
    const imported = await importFile(path, {
      client,
      isDryRun,
      onProgress: ({ what, done, total }) => progress(what, done, total),
    });
    return report(imported);
  });
}

function report({ file, counts, comparison }: ImportedFile): number {
  const { memories, relations, nodes, header, sha256 } = file;
  const part = header.since === undefined ? '' : `, changed since ${header.since}`;
  say(`file: ${memories} memories, ${relations} relations, ${nodes} other nodes${part}; sha256 ${sha256}`);
  for (const [what, count] of Object.entries(counts)) {
    const { created, updated, unchanged, kept } = count;
    const leftOut = 'left_out' in count && count.left_out > 0 ? `, ${count.left_out} left out` : '';
    say(
      `${what}: ${created} new, ${updated} updated, ${unchanged} already there, ${kept} kept in a later state${leftOut}`,
    );
  }
  if (counts.edges.left_out > 0) say('Edges are left out where a memory at one of their ends is not there.');
  if (!comparison) {
    say('Nothing was written. The same command without --dry-run brings this.');
    return 0;
  }
  const { equal, kept, differing } = comparison;
  say(`compared: ${equal} memories equal, ${kept} kept in a later state, ${differing.length} differing`);
  if (differing.length === 0) {
    say('Everything has arrived. Vectors are made in the background.');
    return 0;
  }
  const more = differing.length > SAMPLE_MAX ? ' …' : '';
  say(`differing: ${differing.slice(0, SAMPLE_MAX).join(' ')}${more}`);
  return 1;
}
