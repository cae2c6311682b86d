/** Exports and imports pages of records, and starts the background work for imported records. */
import { UNCLASSIFIED } from '../domain/memory-type.js';
import type { ExportPage, ExportPageRequest, ImportPage, ImportReport } from '../domain/transfer.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import { exportPage } from '../maintenance/transfer/export-page.js';
import { importPage, removeOrphanHistories } from '../maintenance/transfer/import-page.js';
import type { Places } from '../places.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import { withoutCredentials } from './import-credentials.js';
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
  places: Pick<Places, 'take'>;
  classifier: Pick<Classifier, 'classifyNow'>;
}

/** @internal */
export function createTransfer(parts: TransferParts): Transfer {
  const { graph, workers, places, classifier } = parts;
  return {
    exportPage: request => places.take(() => exportPage(graph, request)),
    importPage: page =>
      places.take(async () => {
        const { kept, credentials } = await withoutCredentials(page);
        const report = await importPage(parts, kept.readsTypes ? withTypes(kept, classifier) : kept);
        // Enrich only after the last page, because enrichment changes memories that are compared with the import file.
        if (page.isLast && !page.isDryRun) {
          await removeOrphanHistories(graph);
          workers.embed.notify(1);
          workers.enrich.notify(1);
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
