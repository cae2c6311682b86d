/** Undoes the changes of a run, except in data that was changed after the run. */
import type { Change, RelevanceChange, RunRecord, UndoReport } from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { type ApplyParts, changeMemory, saveSummary } from './apply.js';
import { restoreFromBin } from './bin.js';
import { countPages, readPage } from './change-list.js';
import { readProposal } from './proposal-nodes.js';
import { isSameSummary, readSummary } from './summary-nodes.js';

/**
 * @param onPage called before each page of changes
 * @throws MemoryError `conflict` when the run made changes and their list no longer exists
 */
export async function undoRun(parts: ApplyParts, run: UndoneRun, onPage: () => Promise<void>): Promise<UndoReport> {
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
  parts: ApplyParts,
  run: UndoneRun,
  change: Exclude<Change, RelevanceChange>,
): Promise<boolean> {
  switch (change.kind) {
    case 'link':
      return undoLink(parts, run, change);
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
async function undoRelevances({ graph, projection }: ApplyParts, changes: readonly RelevanceChange[]): Promise<number> {
  if (changes.length === 0) return 0;
  const memories = await graph.getMemories(changes.map(({ id }) => id));
  const same = changes.filter(({ id, after }) => memories.get(id)?.relevance_score === after);
  const relevances = same.map(({ id, before }) => ({ id, relevance: before }));
  await graph.saveRelevance(relevances);
  await projection.pushRelevance(relevances);
  return same.length;
}

async function undoLink({ graph }: ApplyParts, run: UndoneRun, { relation }: Of<'link'>): Promise<boolean> {
  const { from, to, type } = relation;
  const edges = (await graph.relationsOf({ ids: [from], limit: EDGES_MAX, types: [type] })).get(from) ?? [];
  const isOurs = edges.some(edge => edge.from === from && edge.to === to && edge.properties.run_id === run.id);
  if (isOurs) await graph.removeRelations([{ from, to, type }]);
  return isOurs;
}

/** Maximum number of edges of one type that are read for a memory. No memory should reach this limit. */
const EDGES_MAX = 10_000;

async function undoSummary(parts: ApplyParts, run: UndoneRun, { before, after }: Of<'summary'>): Promise<boolean> {
  const id = (after ?? before)?.id ?? '';
  const node = await parts.graph.getNode('MetaMemory', id);
  const present = (node && readSummary(node)) ?? null;
  if (!isSameSummary(present, after)) return false;
  await saveSummary(parts, run, { before: after, after: before });
  return true;
}

async function unarchive(parts: ApplyParts, run: UndoneRun, { id, reason }: Of<'archive'>): Promise<boolean> {
  let isOurs = false;
  await changeMemory(parts, id, memory => {
    isOurs = memory.archived && memory.archived_at === run.timestamp && memory.archived_reason === reason;
    if (!isOurs) return memory;
    const { archived_at, archived_reason, ...rest } = memory;
    return { ...rest, archived: false };
  });
  return isOurs;
}

/**
 * Restores a deleted memory. The memory stays in the bin if its id belongs to another memory, or a later run has
 * deleted the memory again.
 */
async function undelete(parts: ApplyParts, run: UndoneRun, { id }: Of<'delete'>): Promise<boolean> {
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

async function withdraw({ graph }: ApplyParts, id: string): Promise<boolean> {
  const node = await graph.getNode('ConsolidationProposal', id);
  const proposal = node && readProposal(node);
  const isOpen = proposal?.state === 'open' && !proposal.acceptance;
  if (isOpen) await graph.deleteNodes('ConsolidationProposal', [id]);
  return isOpen;
}
