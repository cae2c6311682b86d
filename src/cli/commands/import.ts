/** `engraph import`: imports an export of Engraph, or the memories of another program. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EngraphClient } from '../../client/client.js';
import { MemoryError } from '../../domain/errors.js';
import { plural } from '../../domain/plural.js';
import { keepSecret } from '../../domain/secrets.js';
import { arrivalsOf } from '../../transfer/arrivals.js';
import { type ImportedFile, importFile } from '../../transfer/import-file.js';
import { type Arriving, type ImportedRecords, importRecords } from '../../transfer/import-records.js';
import { notesIn } from '../../transfer/markdown/import-folder.js';
import { FORM_NAMES, type FormName, openSource, recognize } from '../../transfer/recognize.js';
import { fetchBackup, isServiceUrl } from '../../transfer/sources/automem-live.js';
import { UsageError } from '../arguments.js';
import type { CommandParts } from '../command.js';
import { importTable } from '../import-table.js';
import { say } from '../say.js';
import { createProgress } from '../transfer-progress.js';
import { withMemory, withMemoryUnchanged } from '../with-memory.js';

const SAMPLE_MAX = 10;
const ARRIVED =
  'Everything was imported. Vectors are made in the background while an assistant or `engraph serve` has the memory open.';

/**
 * @returns 0 after a dry run, or if everything was imported; otherwise 1
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
  return importPath(resolve(given), named, parts);
}

/** Imports from a running AutoMem. The memories of other programs can be imported only from files. */
async function importService(url: string, named: FormName | undefined, parts: CommandParts): Promise<number> {
  if (named !== 'automem') throw new UsageError('An import from an address needs --from automem');
  const token = parts.environment.AUTOMEM_ADMIN_TOKEN;
  if (token !== undefined) keepSecret(token);
  const { path, remove } = await fetchBackup(url, token);
  try {
    return await importPath(path, named, parts);
  } finally {
    await remove();
  }
}

async function importPath(path: string, named: FormName | undefined, parts: CommandParts): Promise<number> {
  const isDryRun = parts.options['dry-run'] === true;
  // Check the path before the memory is opened, because the path may be mistyped.
  if (!existsSync(path)) throw new MemoryError('invalid', `There is no file or folder ${path}`);
  const form = named ?? (await recognize(path));
  const use = isDryRun ? withMemoryUnchanged : withMemory;
  if (form === 'engraph') return use(parts, client => bringBack(path, client, isDryRun));
  const source = await sourceOf(form, path, parts);
  return use(parts, client => bringRecords(source, { client, isDryRun, form }));
}

async function bringBack(path: string, client: EngraphClient, isDryRun: boolean): Promise<number> {
  const progress = createProgress();
  const onProgress = ({ what, done, total }: { what: string; done: number; total: number }) =>
    progress(what, done, total);
  return reportFile(await importFile(path, { client, isDryRun, onProgress }));
}

function reportFile({ file, counts, comparison }: ImportedFile): number {
  const { memories, relations, nodes, header, sha256 } = file;
  const part = header.since === undefined ? '' : `, changed since ${header.since}`;
  const inFile = [plural(memories, 'memory'), plural(relations, 'relation'), plural(nodes, 'other node')].join(', ');
  say(`file: ${inFile}${part}; sha256 ${sha256}`);
  say(`memories: ${arrivals(counts.memories)}`);
  say(`relations: ${arrivals(counts.edges)}`);
  say(`other nodes: ${arrivals(counts.nodes)}`);
  if (counts.edges.left_out > 0)
    say('A relation is left out if one of its two memories is neither in the file nor stored.');
  if (!comparison) return sayNothingWritten([counts.memories, counts.edges, counts.nodes]);
  const { equal, kept, differing } = comparison;
  say(`compared: ${plural(equal, 'memory')} equal, ${kept} kept in a later state, ${differing.length} differing`);
  if (differing.length === 0) {
    say(ARRIVED);
    return 0;
  }
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

/** Each call reads the source from its beginning. */
type Records = () => AsyncIterable<Arriving>;

async function sourceOf(form: Exclude<FormName, 'engraph'>, path: string, { config }: CommandParts): Promise<Records> {
  if (form === 'markdown') return () => notesOf(path);
  const source = await openSource(form, path);
  return () => arrivalsOf(source, config.input);
}

async function* notesOf(path: string): AsyncGenerator<Arriving> {
  for await (const note of notesIn(path)) {
    if ('record' in note) yield { kind: 'notes', record: note.record };
    else yield { kind: 'notes', place: note.path, problem: note.problem };
  }
}

async function bringRecords(
  source: Records,
  { client, isDryRun, form }: { client: EngraphClient; isDryRun: boolean; form: FormName },
): Promise<number> {
  const progress = createProgress();
  const imported = await importRecords(source, {
    client,
    isDryRun,
    readsTypes: form !== 'markdown',
    onProgress: progress,
  });
  say(`source: ${form}`);
  for (const line of importTable(imported)) say(line);
  say(`memories: ${arrivals(imported.memories)}`);
  say(`relations: ${arrivals(imported.edges)}`);
  if (isDryRun) return sayNothingWritten([imported.memories, imported.edges]);
  if (imported.missing === 0) {
    say(ARRIVED);
    return 0;
  }
  say(`Missing or different after the import: ${plural(imported.missing, 'memory')}. Import the source again.`);
  return 1;
}
