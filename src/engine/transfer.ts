/** Exports and imports pages of records, and starts the background work for imported records. */

import { findCredentials } from '../credentials.js';
import { UNCLASSIFIED } from '../domain/memory.js';
import type { CredentialLeftOut, ExportPage, ExportPageRequest, ImportPage, ImportReport } from '../domain/transfer.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import { inSteps } from '../event-loop.js';
import { exportPage } from '../maintenance/transfer/export-page.js';
import { importPage, removeOrphanHistories } from '../maintenance/transfer/import-page.js';
import type { Places } from '../places.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { Workers } from './workers.js';

export interface Transfer {
  /** @throws MemoryError `invalid` when `after` does not come from an earlier page */
  exportPage(request: ExportPageRequest): Promise<ExportPage>;
  /** Writing the same page again changes nothing. */
  importPage(page: ImportPage): Promise<ImportReport>;
}

/** @internal */
export interface TransferParts {
  graph: GraphStore;
  projection: VectorProjection;
  workers: Workers;
  places: Pick<Places, 'takeLong'>;
  classifier: Pick<Classifier, 'classifyNow'>;
}

/** @internal */
export function createTransfer(parts: TransferParts): Transfer {
  const { graph, workers, places, classifier } = parts;
  return {
    exportPage: request => places.takeLong(() => exportPage(graph, request)),
    importPage: page =>
      places.takeLong(async () => {
        const { kept, credentials } = await withoutCredentials(page);
        const report = await importPage(parts, kept.readsTypes ? withTypes(kept, classifier) : kept);
        // Enrich only after the last page, because enrichment changes memories that are compared with the import file.
        if (page.isLast && !page.isDryRun) {
          await removeOrphanHistories(graph);
          workers.embed.notify();
          workers.enrich.notify();
        }
        return { ...report, credentials };
      }),
  };
}

function withTypes(page: ImportPage, classifier: Pick<Classifier, 'classifyNow'>): ImportPage {
  return {
    ...page,
    memories: page.memories.map(record => {
      const { type, confidence, content } = record.memory;
      const isUnread = type === UNCLASSIFIED.type && confidence === UNCLASSIFIED.confidence;
      return isUnread ? { ...record, memory: { ...record.memory, ...classifier.classifyNow(content) } } : record;
    }),
  };
}

async function withoutCredentials(page: ImportPage): Promise<{ kept: ImportPage; credentials: CredentialLeftOut[] }> {
  if (page.allowsCredentials) return { kept: page, credentials: [] };
  const credentials: CredentialLeftOut[] = [];
  const isClean = async (id: string, text: string): Promise<boolean> => {
    const found = await findCredentials(text);
    if (found.length === 0) return true;
    credentials.push({ id, kinds: [...new Set(found.map(({ kind }) => kind))] });
    return false;
  };
  const memories: ImportPage['memories'][number][] = [];
  for await (const record of inSteps(page.memories)) {
    const { id, content, summary, tags, metadata } = record.memory;
    const texts = [content, summary ?? '', ...tags, ...textsIn(metadata)];
    if (await isClean(id, texts.join('\n'))) memories.push(record);
  }
  const nodes: ImportPage['nodes'][number][] = [];
  for await (const node of inSteps(page.nodes))
    if (await isClean(`${node.kind}/${node.id}`, textsIn(node.properties).join('\n'))) nodes.push(node);
  return { kept: { ...page, memories, nodes }, credentials };
}

/** Returns the texts in a JSON value, each with the name of its field, because the name may tell that it is a secret. */
function textsIn(value: object): string[] {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    for (const [name, item] of Object.entries(open.pop() as object)) {
      if (typeof item === 'string') texts.push(`${name}=${item}`);
      else if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return texts;
}
