/** `engraph export`: writes everything into a file. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseIso, toIso } from '../../domain/time.js';
import { systemClock } from '../../engine/clock.js';
import { exportToFile } from '../../transfer/export-file.js';
import { exportLines } from '../../transfer/export-lines.js';
import type { ExportLinesParts } from '../../transfer/export-parts.js';
import { type ExportCounts, FORMAT_VERSION } from '../../transfer/format.js';
import { exportToFolder } from '../../transfer/markdown/export-folder.js';
import { UsageError } from '../arguments.js';
import type { CommandParts } from '../command.js';
import { createProgress } from '../transfer-progress.js';
import { withMemory } from '../with-memory.js';

const STDOUT = '-';

/** @throws UsageError, MemoryError as `exportToFile` */
export async function runExport(parts: CommandParts): Promise<number> {
  const { names: [target, ...rest] = [], since, format } = parts.options;
  if (target === undefined || rest.length > 0) throw new UsageError("'export' takes the name of one file, or '-'");
  if (format !== undefined && format !== 'markdown') throw new UsageError("--format must be 'markdown'");
  const sinceMs = since === undefined ? undefined : parseIso(since);
  if (since !== undefined && sinceMs === undefined) {
    throw new UsageError(`--since must be an ISO 8601 time, such as 2026-01-31, but is '${since}'`);
  }
  const progress = createProgress();
  return withMemory(parts, async memory => {
    const exporting: ExportLinesParts = {
      readPage: memory.exportPage,
      header: {
        version: FORMAT_VERSION,
        exported_at: toIso(systemClock.nowMs()),
        engraph: parts.version,
        ...(sinceMs !== undefined && { since: toIso(sinceMs) }),
      },
      onProgress: ({ memories }) => progress('exported memories', memories),
    };
    if (format === 'markdown') {
      const { memories, unchanged } = await exportToFolder(resolve(target), exporting);
      process.stderr.write(`Wrote ${memories} memories as notes, of which ${unchanged} were there already.\n`);
    } else if (target === STDOUT) report(await exportToStdout(exporting));
    else {
      const exported = await exportToFile(resolve(target), exporting);
      report(exported, exported.isResumed ? ' The export that was interrupted before is complete now.' : '');
    }
    return 0;
  });
}

async function exportToStdout({ readPage, header, onProgress }: ExportLinesParts): Promise<ExportCounts> {
  let counts: ExportCounts = { memories: 0, relations: 0, nodes: 0 };
  for await (const { text, state } of exportLines(readPage, header)) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    counts = state;
    onProgress(counts);
  }
  return counts;
}

/** On stderr, since stdout may be the file. */
function report({ memories, relations, nodes }: ExportCounts, more = ''): void {
  process.stderr.write(`Exported ${memories} memories, ${relations} relations and ${nodes} other nodes.${more}\n`);
}
