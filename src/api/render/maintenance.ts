/** Renders the results of reembedding and of comparing the stores. */
import type { DryRunReport, ReembedReport, RepairReport, SyncReport } from '../../domain/maintenance.js';
import type {
  AdoptionFields,
  ReembedAnswer,
  SyncAnswer,
  SyncRepairAnswer,
  SyncReportAnswer,
} from '../answers/maintenance.js';

const FAILED_SHOWN_MAX = 10;

export function renderReembed({ processedCount, failedIds, memoryCount, batchSize }: ReembedReport): ReembedAnswer {
  return {
    status: 'complete',
    processed: processedCount,
    failed: failedIds.length,
    total: memoryCount,
    batch_size: batchSize,
    metadata_preserved: true,
    ...renderFailed(failedIds),
  };
}

export function renderSync(report: SyncReport): SyncAnswer {
  return report.isDryRun ? renderDryRun(report) : renderMending(report);
}

function renderDryRun(report: DryRunReport): SyncReportAnswer {
  return {
    status: 'dry_run',
    falkordb_count: report.memoryCount,
    qdrant_count: report.vectorCount,
    missing_count: report.missingCount,
    orphaned_count: report.orphanedCount,
    missing_sample: report.missingSample,
    orphaned_sample: report.orphanedSample,
    ...renderAdoption(report),
  };
}

function renderMending(report: RepairReport): SyncRepairAnswer {
  return {
    status: report.missingCount === 0 ? 'already_synced' : 'complete',
    falkordb_count: report.memoryCount,
    qdrant_count: report.vectorCount,
    synced: report.embeddedCount,
    failed: report.failedIds.length,
    orphaned_count: report.orphanedCount,
    orphaned_removed: report.removedCount,
    ...renderAdoption(report),
    ...renderFailed(report.failedIds),
  };
}

function renderAdoption({ adoption }: SyncReport): AdoptionFields {
  if (!adoption) return {};
  const { adoptedCount, repairedCount, malformedCount, malformedSample } = adoption;
  return {
    ...(adoptedCount > 0 && { adopted_count: adoptedCount }),
    ...(repairedCount > 0 && { repaired_count: repairedCount }),
    ...(malformedCount > 0 && { malformed_count: malformedCount, malformed_sample: malformedSample }),
  };
}

function renderFailed(failedIds: readonly string[]): Pick<ReembedAnswer, 'failed_ids' | 'failed_ids_truncated'> {
  if (failedIds.length === 0) return {};
  return {
    failed_ids: failedIds.slice(0, FAILED_SHOWN_MAX),
    ...(failedIds.length > FAILED_SHOWN_MAX && { failed_ids_truncated: true }),
  };
}
