/** Carries out changes. Repeating a change has no further effect, so that an interrupted run can be repeated. */
import type {
  ArchiveChange,
  Change,
  DeleteChange,
  LinkChange,
  ProposalChange,
  RelevanceChange,
  SummaryChange,
} from '../domain/consolidation.js';
import type { Memory } from '../domain/memory.js';
import { toIso } from '../domain/time.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import { type BinParts, putInBin } from './bin.js';
import { proposalNode } from './proposal-nodes.js';
import { summaryNode } from './summary-nodes.js';

export interface ApplyParts {
  graph: GraphStore;
  vectors: BinParts['vectors'];
  projection: Pick<VectorProjection, 'refresh' | 'remove' | 'pushRelevance'>;
  /** Called with the number of deleted memories. Some of their vectors may still have to be removed. */
  onRemoved(count: number): void;
}

export interface RunIdentity {
  runId: string;
  nowMs: number;
}

export async function applyChanges(parts: ApplyParts, run: RunIdentity, changes: readonly Change[]): Promise<void> {
  const of = <Kind extends Change['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<Change, { kind: Kind }> => change.kind === kind);
  await saveRelevance(parts, of('relevance'));
  await saveLinks(parts, of('link'));
  for (const change of of('summary')) await saveSummary(parts, run, change);
  for (const change of of('proposal')) await saveProposal(parts, run, change);
  for (const change of of('archive')) await archive(parts, run, change);
  await remove(parts, run, of('delete'));
}

async function saveRelevance({ graph, projection }: ApplyParts, changes: readonly RelevanceChange[]): Promise<void> {
  if (changes.length === 0) return;
  const relevances = changes.map(({ id, after }) => ({ id, relevance: after }));
  await graph.saveRelevance(relevances);
  await projection.pushRelevance(relevances);
}

async function saveLinks({ graph }: ApplyParts, changes: readonly LinkChange[]): Promise<void> {
  if (changes.length > 0) await graph.saveRelations(changes.map(({ relation }) => relation));
}

export async function saveSummary(
  { graph }: Pick<ApplyParts, 'graph'>,
  { nowMs }: Pick<RunIdentity, 'nowMs'>,
  { before, after }: Pick<SummaryChange, 'before' | 'after'>,
): Promise<void> {
  if (after) {
    const node = summaryNode(after, toIso(nowMs));
    await graph.saveNode(node);
    await graph.relinkNode({ kind: 'MetaMemory', nodeId: node.id, updated_at: node.updated_at }, after.memberIds);
  } else if (before) await graph.deleteNodes('MetaMemory', [before.id]);
}

async function saveProposal(
  { graph }: ApplyParts,
  { nowMs }: RunIdentity,
  { proposal }: ProposalChange,
): Promise<void> {
  const isKnown = await graph.getNode('ConsolidationProposal', proposal.id);
  if (!isKnown) await graph.saveNode(proposalNode(proposal, { state: 'open', at: toIso(nowMs) }));
}

async function archive(parts: ApplyParts, { nowMs }: RunIdentity, change: ArchiveChange): Promise<void> {
  await changeMemory(parts, change.id, memory =>
    memory.archived || memory.updated_at !== change.updatedAt
      ? memory
      : { ...memory, archived: true, archived_at: toIso(nowMs), archived_reason: change.reason },
  );
}

/** Changes fields other than the content, so that nothing has to be embedded or enriched again. */
export async function changeMemory(
  { graph, projection }: Pick<ApplyParts, 'graph' | 'projection'>,
  id: string,
  change: (memory: Memory) => Memory,
): Promise<Memory | undefined> {
  const changed = await graph.updateMemory(id, current => ({ memory: change(current), work: [] }));
  if (changed) await projection.refresh(changed);
  return changed;
}

/**
 * Deletes memories after their copies in the bin are durable. A memory that was changed since the plan was made is not
 * deleted and keeps no copy in the bin.
 */
async function remove(
  parts: ApplyParts,
  { runId, nowMs }: RunIdentity,
  changes: readonly DeleteChange[],
): Promise<void> {
  const copied: Memory[] = [];
  for (const { id, updatedAt, reason } of changes) {
    const memory = await putInBin(parts, { id, updated_at: updatedAt }, { runId, reason, nowMs });
    if (memory) copied.push(memory);
  }
  if (copied.length === 0) return;
  const deleted = await parts.graph.deleteUnchanged(copied);
  const gone = new Set(deleted);
  const kept = copied.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
  if (kept.length > 0) await parts.graph.deleteNodes('DeletedMemory', kept);
  await parts.projection.remove(deleted);
  parts.onRemoved(deleted.length);
}
