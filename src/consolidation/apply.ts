/**
 * Carries out the changes of a run, and takes them back. Repeating a change has no further effect, so that an interrupted
 * run can be repeated.
 */
import type {
  ArchiveChange,
  Change,
  DeleteChange,
  LinkChange,
  ProposalChange,
  RelevanceChange,
  RunRecord,
  SummaryChange,
  UndoReport,
} from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import type { Memory } from '../domain/memory.js';
import { toIso } from '../domain/time.js';
import {
  changeMemory,
  countPages,
  type JournalParts,
  putInBin,
  readPage,
  removeEdgeIf,
  restoreFromBin,
} from './journal.js';
import { proposalNode, readProposal } from './proposals.js';
import { isSameSummary, readSummary, summaryNode } from './tasks/summaries.js';

export interface RunIdentity {
  runId: string;
  nowMs: number;
}

export async function applyChanges(parts: JournalParts, run: RunIdentity, changes: readonly Change[]): Promise<void> {
  const of = <Kind extends Change['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<Change, { kind: Kind }> => change.kind === kind);
  await saveRelevance(parts, of('relevance'));
  await saveLinks(parts, of('link'));
  for (const change of of('summary')) await saveSummary(parts, run, change);
  for (const change of of('proposal')) await saveProposal(parts, run, change);
  for (const change of of('archive')) await archive(parts, run, change);
  await remove(parts, run, of('delete'));
}

async function saveRelevance({ graph }: JournalParts, changes: readonly RelevanceChange[]): Promise<void> {
  if (changes.length === 0) return;
  await graph.annotate(changes.map(({ id, after }) => ({ id, relevance: after })));
}

async function saveLinks({ graph }: JournalParts, changes: readonly LinkChange[]): Promise<void> {
  if (changes.length > 0) await graph.saveRelations(changes.map(({ relation }) => relation));
}

async function saveSummary(
  { graph }: Pick<JournalParts, 'graph'>,
  { nowMs }: Pick<RunIdentity, 'nowMs'>,
  { before, after }: Pick<SummaryChange, 'before' | 'after'>,
): Promise<void> {
  if (after) {
    const node = summaryNode(after, toIso(nowMs));
    await graph.saveNode(node, after.memberIds);
  } else if (before) await graph.deleteNodes('MetaMemory', [before.id]);
}

async function saveProposal(
  { graph }: JournalParts,
  { nowMs }: RunIdentity,
  { proposal }: ProposalChange,
): Promise<void> {
  const isKnown = await graph.getNode('ConsolidationProposal', proposal.id);
  if (!isKnown) await graph.saveNode(proposalNode(proposal, { state: 'open', at: toIso(nowMs) }));
}

async function archive(parts: JournalParts, { nowMs }: RunIdentity, change: ArchiveChange): Promise<void> {
  await changeMemory(parts, change.id, memory =>
    memory.archived || memory.updated_at !== change.updatedAt
      ? undefined
      : { ...memory, archived: true, archived_at: toIso(nowMs), archived_reason: change.reason },
  );
}

/**
 * Deletes memories after their copies in the bin are durable. A memory that was changed since the plan was made is not
 * deleted and keeps no copy in the bin.
 */
async function remove(
  parts: JournalParts,
  { runId, nowMs }: RunIdentity,
  changes: readonly DeleteChange[],
): Promise<void> {
  const copied: Memory[] = [];
  for (const { id, updatedAt, reason } of changes) {
    const memory = await putInBin(parts, { id, updated_at: updatedAt }, { runId, reason, nowMs });
    if (memory) copied.push(memory);
  }
  if (copied.length === 0) return;
  const deleted = await parts.graph.deleteMemories(
    copied.map(({ id }) => id),
    new Map(copied.map(({ id, updated_at }) => [id, updated_at])),
  );
  const gone = new Set(deleted);
  const kept = copied.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
  if (kept.length > 0) await parts.graph.deleteNodes('DeletedMemory', kept);
  await parts.projection.remove(deleted);
  parts.onRemoved(deleted.length);
}

/**
 * @param onPage called before each page of changes
 * @throws MemoryError `conflict` when the run made changes and their list no longer exists
 */
export async function undoRun(parts: JournalParts, run: UndoneRun, onPage: () => Promise<void>): Promise<UndoReport> {
  let undone = 0;
  let skipped = 0;
  const pageCount = await countPages(parts.graph, run.id);
  if (pageCount === 0 && run.changeCount > 0) {
    throw new MemoryError('conflict', `Run ${run.id} cannot be undone: the list of its changes no longer exists`, {
      hint: 'For decay, only the lists of the last two runs are kept; a later run of decay computes every relevance again.',
    });
  }
  for (let page = pageCount - 1; page >= 0; page--) {
    await onPage();
    const changes = (await readPage(parts.graph, run.id, page)) ?? [];
    const relevances = changes.filter(change => change.kind === 'relevance');
    let done = await undoRelevances(parts, relevances);
    for (const change of changes.toReversed()) {
      if (change.kind !== 'relevance' && (await undoChange(parts, run, change))) done += 1;
    }
    undone += done;
    skipped += changes.length - done;
  }
  return { runId: run.id, undone, skipped };
}

type UndoneRun = Pick<RunRecord, 'id' | 'timestamp' | 'changeCount'> & {
  /** The instant at which the run is undone. */
  nowMs: number;
};

/** @returns whether the change was undone. It is undone only if the data is still as the run left it. */
async function undoChange(
  parts: JournalParts,
  run: UndoneRun,
  change: Exclude<Change, RelevanceChange>,
): Promise<boolean> {
  switch (change.kind) {
    case 'link':
      return removeEdgeIf(parts, change.relation, ({ properties }) => properties.run_id === run.id);
    case 'summary':
      return undoSummary(parts, run, change);
    case 'archive':
      return unarchive(parts, run, change);
    case 'delete':
      return undelete(parts, run, change);
    case 'proposal':
      return withdraw(parts, change.proposal.id);
  }
}

type Of<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

/** @returns the number of memories whose relevance was still as the run had left it */
async function undoRelevances({ graph }: JournalParts, changes: readonly RelevanceChange[]): Promise<number> {
  if (changes.length === 0) return 0;
  const memories = await graph.getMemories(changes.map(({ id }) => id));
  const same = changes.filter(({ id, after }) => memories.get(id)?.relevance_score === after);
  await graph.annotate(same.map(({ id, before }) => ({ id, relevance: before })));
  return same.length;
}

async function undoSummary(parts: JournalParts, run: UndoneRun, { before, after }: Of<'summary'>): Promise<boolean> {
  const id = (after ?? before)?.id ?? '';
  const node = await parts.graph.getNode('MetaMemory', id);
  const present = (node && readSummary(node)) ?? null;
  if (!isSameSummary(present, after)) return false;
  await saveSummary(parts, run, { before: after, after: before });
  return true;
}

async function unarchive(parts: JournalParts, run: UndoneRun, { id, reason }: Of<'archive'>): Promise<boolean> {
  return changeMemory(parts, id, ({ archived_at, archived_reason, ...rest }) => {
    const isOurs = rest.archived && archived_at === run.timestamp && archived_reason === reason;
    // Undoing is a change, so an import of an earlier export does not archive the memory again.
    return isOurs ? { ...rest, archived: false, updated_at: toIso(run.nowMs) } : undefined;
  });
}

/**
 * Restores a deleted memory. The memory stays in the bin if its id belongs to another memory, or a later run has
 * deleted the memory again.
 */
async function undelete(parts: JournalParts, run: UndoneRun, { id }: Of<'delete'>): Promise<boolean> {
  const node = await parts.graph.getNode('DeletedMemory', id);
  if (node?.properties.run_id !== run.id) return false;
  try {
    await restoreFromBin(parts, [id]);
    return true;
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'conflict') return false;
    throw error;
  }
}

async function withdraw({ graph }: JournalParts, id: string): Promise<boolean> {
  const node = await graph.getNode('ConsolidationProposal', id);
  const proposal = node && readProposal(node);
  const isOpen = proposal?.state === 'open' && !proposal.acceptance;
  if (isOpen) await graph.deleteNodes('ConsolidationProposal', [id]);
  return isOpen;
}
