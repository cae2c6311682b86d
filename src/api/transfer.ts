/** Reading and writing all data in pages. Export and import call these operations. */
import { z } from 'zod';
import { invalidField, MemoryError, messageOf } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import { isPlainObject } from '../domain/json.js';
import {
  type ArrivalCounts,
  type EdgesOf,
  type ExportPage,
  type ImportPage,
  type ImportReport,
  type MemoryRecord,
  type NodeRecord,
  TRANSFER_PAGE_MAX,
  type TransferredEdges,
} from '../domain/transfer.js';
import { inSteps } from '../event-loop.js';
import { success, wholeNumber } from './answer-fields.js';
import { flag } from './fields.js';
import { listFromJson, objectFromJson, optional, readField, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import {
  exportPageRequest,
  importPageRequest,
  type MemoryLine,
  memoryLine,
  nodeLine,
  readTransferLine,
  type TransferLine,
  toExportPageRequest,
} from './transfer-records.js';

export function transferOperations(limits: InputLimits): Operation[] {
  return [
    {
      ...routeOf('exportPage'),
      access: 'admin',
      tag: 'service',
      summary: 'Read a page of an export, which an import accepts',
      query: exportPageRequest,
      answers: { 200: exportPageAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const request = toExportPageRequest(readObject(exportPageRequest, query, 'The query'));
        return renderExportPage(await engine.transfer.exportPage(request));
      },
    },
    {
      ...routeOf('importPage'),
      access: 'admin',
      tag: 'service',
      summary: 'Write a page of an export; newer stored records stay unchanged',
      body: importPageRequest,
      answers: { 200: importPageAnswer },
      failures: ['invalid', 'conflict'],
      run: async (engine, { body }) => {
        const { records, ...flags } = await readImportPage(body);
        const page = toImportPage(records, { vectorSize: limits.vectorSize, ...flags });
        return renderImportReport(await engine.transfer.importPage(page), flags.isDryRun);
      },
    },
  ];
}

/** @throws MemoryError `invalid` with the position of a record that cannot be read */
async function readImportPage(given: unknown) {
  const body = objectFromJson(given);
  if (!isPlainObject(body)) throw new MemoryError('invalid', 'The body must be a JSON object');
  const records = listFromJson(body.records);
  if (!Array.isArray(records)) throw invalidField('records', 'must be an array');
  if (records.length > TRANSFER_PAGE_MAX) throw invalidField('records', `must have at most ${TRANSFER_PAGE_MAX} items`);
  const isDryRun = readField(optional(flag), body.dry_run, 'dry_run') ?? false;
  const readsTypes = readField(optional(flag), body.read_types, 'read_types') ?? false;
  const allowsCredentials = readField(optional(flag), body.allow_credentials, 'allow_credentials') ?? false;
  const isLast = readField(optional(flag), body.last, 'last') ?? false;
  const read: TransferLine[] = [];
  for await (const [index, record] of inSteps(records.entries())) {
    try {
      read.push(readTransferLine(objectFromJson(record)));
    } catch (error) {
      throw new MemoryError('invalid', `Record ${index} of the page cannot be read: ${messageOf(error)}`, { index });
    }
  }
  return { records: read, isDryRun, readsTypes, allowsCredentials, isLast };
}

const exportPageAnswer = z.strictObject({
  status: success,
  records: z
    .array(z.union([memoryLine.omit({ undated: true }), nodeLine]))
    .describe('Each record is a memory with its outgoing edges, or another node'),
  next: z.string().optional().describe('Value of `after` for the next page; absent on the last page'),
});
export type ExportPageAnswer = z.infer<typeof exportPageAnswer>;

const arrivalFields = {
  created: wholeNumber.describe('Number of records created'),
  updated: wholeNumber.describe('Number of older records that were updated'),
  unchanged: wholeNumber.describe('Number of identical existing records'),
  kept: wholeNumber.describe('Number of newer records kept'),
};

const importPageAnswer = z.strictObject({
  status: z.enum(['success', 'dry_run']).describe('dry_run: nothing was written'),
  memories: z.strictObject(arrivalFields).describe('Memories of the page'),
  nodes: z.strictObject(arrivalFields).describe('Nodes of the page'),
  edges: z
    .strictObject({ ...arrivalFields, left_out: wholeNumber.describe('Number of edges with a missing end') })
    .describe('Edges of the page'),
  credentials: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the memory, or kind and id of the node'),
        kinds: z.array(z.string()).describe('Kinds of credentials, such as GITHUB TOKEN'),
      }),
    )
    .describe('Memories and nodes that were left out, because they seem to contain a credential'),
});
export type ImportPageAnswer = z.infer<typeof importPageAnswer>;

const BYTES_PER_NUMBER = 4;

function renderExportPage({ memories, nodes, next }: ExportPage): ExportPageAnswer {
  return {
    status: 'success',
    records: [...nodes.map(node => ({ node })), ...memories.map(renderMemoryLine)],
    ...(next !== undefined && { next }),
  };
}

function renderMemoryLine({
  memory,
  isEnrichmentPending,
  embedding,
  relations,
  links,
}: MemoryRecord & TransferredEdges): MemoryLine {
  const { tags, metadata, ...fields } = memory;
  return {
    memory: { ...fields, tags: [...tags], metadata },
    work: isEnrichmentPending ? ['enrich'] : [],
    ...(embedding && { embedding: textOf(embedding) }),
    relations,
    links,
  };
}

function textOf(embedding: Float32Array): string {
  const bytes = Buffer.alloc(embedding.length * BYTES_PER_NUMBER);
  for (const [index, number] of embedding.entries()) bytes.writeFloatLE(number, index * BYTES_PER_NUMBER);
  return bytes.toString('base64');
}

/**
 * Groups the records of a page into memories, nodes and edges.
 *
 * @throws MemoryError `invalid` when an embedding does not have `vectorSize` numbers, or cannot be compared by cosine
 */
function toImportPage(
  records: readonly TransferLine[],
  { vectorSize, ...flags }: Omit<ImportPage, 'memories' | 'nodes' | 'edges'> & { vectorSize: number },
): ImportPage {
  const memories: MemoryRecord[] = [];
  const nodes: NodeRecord[] = [];
  const edges: EdgesOf[] = [];
  for (const record of records) {
    if ('memory' in record) memories.push(memoryRecordOf(record, vectorSize));
    else if ('node' in record) nodes.push(record.node);
    else edges.push(record);
  }
  return { memories, nodes, edges, ...flags };
}

function memoryRecordOf({ memory, work, embedding, undated }: MemoryLine, vectorSize: number): MemoryRecord {
  const { t_valid, t_invalid, summary, archived_at, archived_reason, relevance_score, maybe_outdated_by, ...always } =
    memory;
  const fields = {
    ...always,
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
    ...(summary !== undefined && { summary }),
    ...(archived_at !== undefined && { archived_at }),
    ...(archived_reason !== undefined && { archived_reason }),
    ...(relevance_score !== undefined && { relevance_score }),
    ...(maybe_outdated_by !== undefined && { maybe_outdated_by }),
  };
  const vector = embedding === undefined ? undefined : vectorOf(memory.id, embedding, vectorSize);
  return {
    memory: fields,
    isEnrichmentPending: work.includes('enrich'),
    ...(vector && { embedding: vector }),
    ...(undated === true && { isUndated: true }),
  };
}

function vectorOf(id: string, text: string, vectorSize: number): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== vectorSize * BYTES_PER_NUMBER) {
    const size = bytes.length / BYTES_PER_NUMBER;
    throw new MemoryError(
      'invalid',
      `'embedding' has ${size} numbers, but this service stores vectors with ${vectorSize} numbers`,
      {
        field: 'embedding',
        hint: 'Set VECTOR_SIZE to the number that the exporting service used.',
      },
    );
  }
  const vector = Float32Array.from({ length: vectorSize }, (_, index) => bytes.readFloatLE(index * BYTES_PER_NUMBER));
  if (!vector.every(Number.isFinite) || vector.every(number => number === 0)) {
    throw new MemoryError(
      'invalid',
      `'embedding' of memory ${id} must contain finite numbers, of which at least one is not zero`,
      { field: 'embedding', hint: 'Remove the embedding from the record. The service then makes one itself.' },
    );
  }
  return vector;
}

function renderImportReport(
  { memories, nodes, edges, credentials }: ImportReport,
  isDryRun: boolean,
): ImportPageAnswer {
  const { leftOut, ...counts } = edges;
  return {
    status: isDryRun ? 'dry_run' : 'success',
    memories: copyOf(memories),
    nodes: copyOf(nodes),
    edges: { ...copyOf(counts), left_out: leftOut },
    credentials,
  };
}

function copyOf({ created, updated, unchanged, kept }: ArrivalCounts): ArrivalCounts {
  return { created, updated, unchanged, kept };
}
