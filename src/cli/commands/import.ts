/**
 * `engraph import` imports an export of Engraph, or the memories of another program. `engraph export` writes all data
 * into a file, or all memories as Markdown into a folder.
 */

import { once } from 'node:events';
import { resolve } from 'node:path';
import type { EngraphClient } from '../../client/client.js';
import { MemoryError } from '../../domain/errors.js';
import { keepSecret } from '../../domain/secrets.js';
import { onOneLine, plural } from '../../domain/shown-text.js';
import { parseIso, toIso } from '../../domain/time.js';
import { EXPORT_VERSION } from '../../domain/versions.js';
import { systemClock } from '../../engine/clock.js';
import { type ExportCounts, type ExportLinesParts, exportLines, exportToFile } from '../../transfer/export-lines.js';
import { type ImportedFile, importFile, type LeftOutGroup, type LeftOutRecords } from '../../transfer/import-file.js';
import {
  type ImportedRecords,
  type ImportRecordsParts,
  importRecords,
  linesOfSource,
  type SourceLine,
} from '../../transfer/import-records.js';
import { exportToFolder, notesIn } from '../../transfer/markdown/note-folder.js';
import {
  asSentence,
  checkPath,
  FORM_NAMES,
  type FormName,
  openSource,
  readsFolders,
  recognize,
} from '../../transfer/recognize.js';
import { fetchBackup, isServiceUrl } from '../../transfer/sources/automem.js';
import { UsageError } from '../arguments.js';
import { type CommandParts, say } from '../command.js';
import { withMemory, withMemoryUnchanged } from '../with-memory.js';

const SAMPLE_MAX = 10;
const VECTORS = 'Vectors are made in the background while an assistant or `engraph serve` has the memory open.';
const LOOSE_RELATIONS = 'A relation is left out if one of its two memories is neither in the source nor stored.';
const CREDENTIALS =
  'Records that seem to contain a credential are left out, because everybody who recalls a memory can read it. Add ' +
  '--allow-credentials to import them, too.';

/**
 * @returns 0 if everything was imported, or after a dry run of a source without broken records; otherwise 1
 * @throws UsageError for invalid arguments, and the MemoryErrors of the reader for the file's format
 */
export async function runImport(parts: CommandParts): Promise<number> {
  const { names: [given, ...rest] = [], from } = parts.options;
  if (given === undefined || rest.length > 0) throw new UsageError("'import' takes the name of one file or folder");
  const named = FORM_NAMES.find(name => name === from);
  if (from !== undefined && named === undefined) {
    throw new UsageError(`--from must be one of ${FORM_NAMES.join(', ')}, but is '${from}'`);
  }
  if (isServiceUrl(given)) return importService(given, named, parts);
  if (GRAPH_URL.test(given)) return importGraph(given, named, parts);
  return importPath(resolve(given), named, parts);
}

/** Imports from a running AutoMem. The memories of other programs can be imported only from files. */
async function importService(url: string, named: FormName | undefined, parts: CommandParts): Promise<number> {
  if (named !== 'automem') throw new UsageError(ONLY_AUTOMEM);
  const token = parts.environment.AUTOMEM_ADMIN_TOKEN;
  if (token !== undefined) keepSecret(token);
  const { path, remove } = await fetchBackup(url, token);
  try {
    return await importPath(path, named, parts);
  } finally {
    await remove();
  }
}

const GRAPH_URL = /^(?:falkors?|rediss?|unix):\/\//;
const ONLY_AUTOMEM = 'An import from an address needs --from automem';

/** Imports from the graph of AutoMem in FalkorDB, which may be the graph of this memory. */
async function importGraph(url: string, named: FormName | undefined, parts: CommandParts): Promise<number> {
  if (named !== 'automem') throw new UsageError(ONLY_AUTOMEM);
  const { FALKORDB_GRAPH: graph = 'memories', FALKORDB_PASSWORD: password } = parts.environment;
  if (password !== undefined) keepSecret(password);
  // The client for FalkorDB is loaded only by this import.
  const { automemGraph } = await import('../../transfer/sources/automem-graph.js');
  const source = automemGraph({ url, graph, ...(password !== undefined && { password }) }, systemClock.nowMs());
  return importRecordsOf(
    () => linesOfSource(source, parts.config.input),
    { form: named, path: `the graph ${graph}` },
    parts,
  );
}

async function importPath(path: string, named: FormName | undefined, parts: CommandParts): Promise<number> {
  // Check the path before the memory is opened, because the path may be mistyped.
  const kind = await checkPath(path);
  try {
    const form = named ?? (await recognize(path));
    if (kind === 'folder' && !readsFolders(form)) {
      throw new MemoryError('invalid', `${path} is a folder, but an import from ${form} reads a file`);
    }
    return await importAs(form, path, parts);
  } catch (error) {
    // Other errors of the file system concern the data folder of the memory.
    const isAboutSource = (error as NodeJS.ErrnoException).path?.startsWith(path) === true;
    throw isAboutSource ? asSentence(error, path) : error;
  }
}

async function importAs(form: FormName, path: string, parts: CommandParts): Promise<number> {
  const options = optionsOf(parts);
  const use = options.isDryRun ? withMemoryUnchanged : withMemory;
  if (form === 'engraph') return use(parts, client => bringBack(path, client, options));
  return importRecordsOf(await sourceOf(form, path, parts), { form, path }, parts);
}

function importRecordsOf(
  source: Records,
  named: { form: FormName; path: string },
  parts: CommandParts,
): Promise<number> {
  const options = optionsOf(parts);
  const use = options.isDryRun ? withMemoryUnchanged : withMemory;
  return use(parts, client => bringRecords(source, { ...options, client, ...named }));
}

function optionsOf({ options }: CommandParts): ImportOptions {
  const { dryRun: isDryRun = false, skipInvalid: skipsInvalid = false, allowCredentials = false } = options;
  return { isDryRun, skipsInvalid, allowsCredentials: allowCredentials };
}

type ImportOptions = Pick<ImportRecordsParts, 'isDryRun' | 'skipsInvalid' | 'allowsCredentials'>;

async function bringBack(path: string, client: EngraphClient, options: ImportOptions): Promise<number> {
  const progress = createProgress();
  const onProgress = ({ what, done, total }: { what: string; done: number; total: number }) =>
    progress(what, done, total);
  try {
    return reportFile(await importFile(path, { client, ...options, onProgress }));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const { code, message, hint, cause } = error;
    throw new MemoryError(code, `${path}: ${message}`, { ...(hint !== undefined && { hint }), cause });
  }
}

function reportFile({ file, counts, leftOut, comparison }: ImportedFile): number {
  const { memories, relations, nodes, header, sha256, problems, problemCount } = file;
  const part = header.since === undefined ? '' : `, changed since ${header.since}`;
  const inFile = [plural(memories, 'memory'), plural(relations, 'relation'), plural(nodes, 'other node')].join(', ');
  say(`file: ${inFile}${part}; sha256 ${sha256}`);
  for (const problem of problems) say(`skipped: ${problem}.`);
  if (problemCount > problems.length) say(`skipped: ${problemCount - problems.length} more lines.`);
  for (const line of reasonLines(leftOut)) say(line);
  say(`memories: ${arrivals(counts.memories)}`);
  say(`relations: ${arrivals(counts.edges)}`);
  say(`other nodes: ${arrivals(counts.nodes)}`);
  if (counts.edges.left_out > 0) say(LOOSE_RELATIONS);
  if (!comparison) {
    sayCredentials(leftOut);
    return sayNothingWritten([counts.memories, counts.edges, counts.nodes]);
  }
  const { equal, kept, differing } = comparison;
  say(`compared: ${plural(equal, 'memory')} equal, ${kept} kept in a later state, ${differing.length} differing`);
  if (differing.length === 0) return sayArrived(leftOut, problemCount + counts.edges.left_out);
  const more = differing.length > SAMPLE_MAX ? ' …' : '';
  say(`differing: ${differing.slice(0, SAMPLE_MAX).join(' ')}${more}`);
  return 1;
}

function arrivals(counts: ImportedRecords['memories'] & { left_out?: number }): string {
  const { created, updated, unchanged, kept, left_out = 0 } = counts;
  const leftOut = left_out > 0 ? `, ${left_out} left out` : '';
  return `${created} new, ${updated} updated, ${unchanged} already there, ${kept} kept in a later state${leftOut}`;
}

function sayNothingWritten(counts: readonly ImportedRecords['memories'][]): number {
  const wouldChange = counts.some(({ created, updated }) => created + updated > 0);
  const next = wouldChange
    ? 'To import this, repeat the command without --dry-run.'
    : 'An import would change nothing.';
  say(`Nothing was written. ${next}`);
  return 0;
}

/**
 * @param further number of records that were left out and are not in `leftOut`
 * @returns 0 if everything was imported, otherwise 1
 */
function sayArrived(leftOut: LeftOutRecords, further: number): number {
  sayCredentials(leftOut);
  const missing = (['broken', 'incomplete', 'credential'] as const).reduce(
    (sum, severity) => sum + leftOut.countOf(severity),
    further,
  );
  if (missing > 0) {
    say(
      `Not everything was imported: ${plural(missing, 'record')} of the source ${missing === 1 ? 'was' : 'were'} left out. ${VECTORS}`,
    );
    return 1;
  }
  const expected = leftOut.countOf('expected');
  const noMemories =
    expected === 0 ? '' : ` ${plural(expected, 'record')} of the source ${expected === 1 ? 'is' : 'are'} no memory.`;
  say(`Everything was imported.${noMemories} ${VECTORS}`);
  return 0;
}

function sayCredentials(leftOut: LeftOutRecords): void {
  if (leftOut.countOf('credential') > 0) say(CREDENTIALS);
}

/** Each call reads the source from its beginning. */
type Records = () => AsyncIterable<SourceLine>;

async function sourceOf(form: Exclude<FormName, 'engraph'>, path: string, { config }: CommandParts): Promise<Records> {
  if (form === 'markdown') return () => notesOf(path);
  const source = await openSource(form, path);
  return () => linesOfSource(source, config.input);
}

async function* notesOf(path: string): AsyncGenerator<SourceLine> {
  for await (const note of notesIn(path)) {
    const { path: place } = note;
    if ('record' in note) yield { kind: 'notes', place, record: note.record };
    else yield { kind: 'notes', place, problem: note.problem };
  }
}

async function bringRecords(
  source: Records,
  { form, path, ...parts }: Omit<ImportRecordsParts, 'readsTypes' | 'onProgress'> & { form: FormName; path: string },
): Promise<number> {
  const imported = await importRecords(source, {
    ...parts,
    readsTypes: form !== 'markdown',
    onProgress: createProgress(),
  });
  const { memories, edges, leftOut, missing, isRefused } = imported;
  if (imported.kinds.size === 0) throw new MemoryError('invalid', `${path} has no memories`);
  say(`source: ${form}`);
  for (const line of importTable(imported)) say(line);
  if (isRefused) throw refusal(path, leftOut.countOf('broken'));
  say(`memories: ${arrivals(memories)}`);
  say(`relations: ${arrivals(edges)}`);
  if (edges.left_out > 0) say(LOOSE_RELATIONS);
  if (parts.isDryRun) {
    sayCredentials(leftOut);
    return sayNothingWritten([memories, edges]);
  }
  if (missing === 0) return sayArrived(leftOut, edges.left_out);
  say(`Missing or different after the import: ${plural(missing, 'memory')}. Import the source again.`);
  return 1;
}

function refusal(path: string, broken: number): MemoryError {
  return new MemoryError(
    'invalid',
    `Nothing was imported, because ${plural(broken, 'record')} of ${path} cannot be read`,
    {
      hint: 'The list above names them. Correct them, or add --skip-invalid to import everything else.',
    },
  );
}

const PLACE_MAX = 60;

/** @returns a header, one line for each kind of record, and one line for each reason why records were left out */
function importTable({ kinds, leftOut }: Pick<ImportedRecords, 'kinds' | 'leftOut'>): string[] {
  const rows = [...kinds]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([kind, { count, first, last }]) => [
      kind,
      String(count),
      first?.slice(0, 10) ?? '',
      last?.slice(0, 10) ?? '',
      String(leftOut.countIn(kind)),
    ]);
  return [...aligned([['kind', 'memories', 'first', 'last', 'left out'], ...rows]), ...reasonLines(leftOut)];
}

/** @returns one line for each reason, with the first places */
function reasonLines(leftOut: LeftOutRecords): string[] {
  return leftOut.groups().map(reasonLine);
}

function reasonLine({ kind, count, problem, places, severity }: LeftOutGroup): string {
  const shown = places.map(beginning).join('; ');
  const more = count > places.length ? `; and ${count - places.length} more` : '';
  const outcome = severity === 'expected' ? 'passed over' : 'left out';
  return `${kind} ${outcome}: ${count}, because ${clauseOf(problem)}: ${shown}${more}`;
}

/** A problem is a predicate of the record, or a sentence of its own, such as the message of an error. */
function clauseOf(problem: string): string {
  return /^[a-z]/.test(problem) ? `the record ${problem}` : problem.replace(/^The /, 'the ');
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? [];
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function beginning(place: string): string {
  const line = onOneLine(place);
  return line.length > PLACE_MAX ? `${line.slice(0, PLACE_MAX)}…` : line;
}

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
      const { isReplaced, ...counts } = await exportToFile(path, exporting);
      report(counts, path);
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
