/** `engraph export`: writes all data into a file, or all memories as Markdown into a folder. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { MemoryError } from '../../domain/errors.js';
import { plural } from '../../domain/shown-text.js';
import { parseIso, toIso } from '../../domain/time.js';
import { EXPORT_VERSION } from '../../domain/versions.js';
import { systemClock } from '../../engine/clock.js';
import { type ExportLinesParts, exportLines, exportToFile } from '../../transfer/export-lines.js';
import type { ExportCounts } from '../../transfer/format.js';
import { exportToFolder } from '../../transfer/markdown/note-folder.js';
import { UsageError } from '../arguments.js';
import type { CommandParts } from '../command.js';
import { withMemory } from '../with-memory.js';

const STDOUT = '-';

/** @throws UsageError for invalid arguments, and the MemoryErrors of `exportToFile` and `exportToFolder` */
export async function runExport(parts: CommandParts): Promise<number> {
  const { names: [target, ...rest] = [], since, format } = parts.options;
  if (target === undefined || rest.length > 0) throw new UsageError("'export' takes one file, folder or '-' (stdout)");
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
        version: EXPORT_VERSION,
        exported_at: toIso(systemClock.nowMs()),
        engraph: parts.version,
        ...(sinceMs !== undefined && { since: toIso(sinceMs) }),
      },
      onProgress: ({ memories }) => progress('exported memories', memories),
    };
    if (format === 'markdown') {
      const { memories, unchanged } = await exportToFolder(resolve(target), exporting);
      process.stderr.write(
        `Wrote ${plural(memories, 'note')} to ${resolve(target)}. Notes that were already up to date: ${unchanged}.\n`,
      );
    } else if (target === STDOUT) report(await exportToStdout(exporting), 'stdout');
    else {
      const path = resolve(target);
      const { isResumed, isReplaced, ...counts } = await exportToFile(path, exporting);
      report(counts, path);
      if (isResumed) process.stderr.write('This completed an export that was interrupted before.\n');
      if (isReplaced) process.stderr.write('The file replaced an earlier export of the same name.\n');
    }
    return 0;
  });
}

async function exportToStdout({ readPage, header, onProgress }: ExportLinesParts): Promise<ExportCounts> {
  let counts: ExportCounts = { memories: 0, relations: 0, nodes: 0 };
  for await (const { text, state } of exportLines(readPage, header)) {
    if (process.stdout.errored) throw outputFailure(process.stdout.errored);
    if (!process.stdout.write(text)) {
      await once(process.stdout, 'drain').catch(error => {
        throw outputFailure(error);
      });
    }
    counts = state;
    onProgress(counts);
  }
  return counts;
}

/** Explains the error when a reader such as `head` closes the output before the export ends. */
function outputFailure(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EPIPE') return error;
  return new MemoryError('unavailable', 'The reader closed the output, so the export is incomplete');
}

/** Writes to stderr, because stdout may contain the export. */
function report({ memories, relations, nodes }: ExportCounts, target: string): void {
  const counts = [plural(memories, 'memory'), plural(relations, 'relation'), plural(nodes, 'other node')].join(', ');
  process.stderr.write(`Exported to ${target}: ${counts}.\n`);
}

/** Number of records between two lines of progress. */
const SAID_EVERY = 2_000;

/** Prints a line after every 2,000 records of one kind. Prints nothing for a kind with fewer records. */
export function createProgress(): (what: string, done: number, total?: number) => void {
  let said = new Map<string, number>();
  return (what, done, total) => {
    const step = Math.floor(done / SAID_EVERY);
    if (step === (said.get(what) ?? 0)) return;
    said = new Map([[what, step]]);
    process.stderr.write(`${what}: ${done}${total === undefined ? '' : ` of ${total}`}\n`);
  };
}
