/** What a person or an assistant does with a proposal. Nothing is merged before that. */
import type { OpenProposal, ProposalState, StoredProposal } from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { invalidityAt } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import { partsOf } from '../domain/parts.js';
import { tagPrefixes } from '../domain/tags.js';
import { toIso } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import { type ApplyParts, changeMemory } from './apply.js';
import { proposalNode, readProposal, storedProposals } from './proposal-nodes.js';

const PAGE_SIZE = 200;

type Graph = Pick<GraphStore, 'readNodes' | 'getMemories' | 'deleteNodes'>;

/** With what both memories say now; in no particular order. */
export async function openProposals(graph: Graph, limit: number): Promise<OpenProposal[]> {
  const found: StoredProposal[] = [];
  for await (const proposal of storedProposals(graph)) {
    if (proposal.state === 'open' && found.push(proposal) >= limit) break;
  }
  const memories = await graph.getMemories([...new Set(found.flatMap(({ olderId, newerId }) => [olderId, newerId]))]);
  const contentOf = (id: string) => memories.get(id)?.content ?? null;
  return found.map(each => ({ ...each, olderContent: contentOf(each.olderId), newerContent: contentOf(each.newerId) }));
}

/** Removes those that nobody can accept any more: a memory is gone or archived, or the older one has ended. */
export async function withdrawPointless(graph: Graph, nowMs: number): Promise<void> {
  const open: StoredProposal[] = [];
  for await (const proposal of storedProposals(graph)) if (proposal.state === 'open') open.push(proposal);
  for (const part of partsOf(open, PAGE_SIZE)) {
    const memories = await graph.getMemories([...new Set(part.flatMap(({ olderId, newerId }) => [olderId, newerId]))]);
    const pointless = part.filter(({ olderId, newerId }) => {
      const [older, newer] = [memories.get(olderId), memories.get(newerId)];
      return !older || !newer || newer.archived || invalidityAt(older, nowMs) !== undefined;
    });
    await graph.deleteNodes(
      'ConsolidationProposal',
      pointless.map(({ id }) => id),
    );
  }
}

export function countOpenProposals(graph: Pick<NodeStore, 'countNodes'>): Promise<number> {
  const open: ProposalState = 'open';
  return graph.countNodes('ConsolidationProposal', open);
}

/**
 * Accepting makes the newer memory take the place of the older one; of duplicates the newer gets the tags of both and the
 * higher importance. Dismissing is remembered, so that it is not proposed again.
 *
 * @throws MemoryError `not_found` for an unknown proposal or a memory that is gone, `conflict` for one that was answered
 *   and for a newer memory that is archived
 */
export async function settleProposal(
  parts: ApplyParts,
  { id, accepts, nowMs }: { id: string; accepts: boolean; nowMs: number },
): Promise<StoredProposal> {
  const node = await parts.graph.getNode('ConsolidationProposal', id);
  if (!node) throw new MemoryError('not_found', `There is no proposal ${id}`);
  const proposal = readProposal(node);
  if (proposal.state !== 'open') throw new MemoryError('conflict', `The proposal was ${proposal.state} before`);
  if (accepts) await carryOut(parts, proposal, nowMs);
  const state = accepts ? 'accepted' : 'dismissed';
  const at = toIso(nowMs);
  await parts.graph.saveNode(proposalNode(proposal, { state, at }));
  return { ...proposal, state, updatedAt: at };
}

async function carryOut(parts: ApplyParts, { kind, olderId, newerId, reason }: StoredProposal, nowMs: number) {
  const memories = await parts.graph.getMemories([olderId, newerId]);
  const [older, newer] = [memories.get(olderId), memories.get(newerId)];
  if (!older || !newer) throw new MemoryError('not_found', 'One of the two memories does not exist any more');
  // Recall would find neither of them.
  if (newer.archived) {
    throw new MemoryError('conflict', `The newer memory ${newerId} is archived and cannot take the place of another`);
  }
  const at = toIso(nowMs);
  await parts.graph.saveRelations([
    { from: olderId, to: newerId, type: 'INVALIDATED_BY', strength: 1, properties: { reason }, updated_at: at },
  ]);
  await changeMemory(parts, olderId, memory => ({ ...memory, t_invalid: endOf(memory, at), updated_at: at }));
  if (kind === 'duplicate') await changeMemory(parts, newerId, memory => merged(memory, older, at));
}

/** A memory that had ended before stays as it was, and none ends before it began. */
function endOf({ t_valid, t_invalid }: Memory, at: string): string {
  if (t_invalid !== undefined && t_invalid < at) return t_invalid;
  return t_valid !== undefined && t_valid > at ? t_valid : at;
}

function merged(newer: Memory, older: Memory, at: string): Memory {
  const tags = [...new Set([...newer.tags, ...older.tags])];
  const importance = Math.max(newer.importance, older.importance);
  return { ...newer, tags, tag_prefixes: tagPrefixes(tags), importance, updated_at: at };
}
