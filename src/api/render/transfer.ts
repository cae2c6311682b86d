/** Converts the records of exports and imports between their domain types and the JSON of the interface. */
import { MemoryError } from '../../domain/errors.js';
import type {
  ArrivalCounts,
  EdgesOf,
  ExportPage,
  ImportPage,
  ImportReport,
  MemoryRecord,
  NodeRecord,
  TransferredEdges,
} from '../../domain/transfer.js';
import type { ExportPageAnswer, ImportPageAnswer } from '../answers/transfer.js';
import type { MemoryLine, TransferLine } from '../requests/transfer.js';

const BYTES_PER_NUMBER = 4;

export function renderExportPage({ memories, nodes, next }: ExportPage): ExportPageAnswer {
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
export function toImportPage(
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

function memoryRecordOf({ memory, work, embedding }: MemoryLine, vectorSize: number): MemoryRecord {
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
  return { memory: fields, isEnrichmentPending: work.includes('enrich'), ...(vector && { embedding: vector }) };
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

export function renderImportReport(
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
