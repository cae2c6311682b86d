/** What a person or an assistant does with a proposal. Nothing is merged before that. */
import type { ProposalState, StoredProposal } from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import type { Memory } from '../domain/memory.js';
import { tagPrefixes } from '../domain/tags.js';
import { toIso } from '../domain/time.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import { type ApplyParts, changeMemory } from './apply.js';
import { proposalNode, readProposal } from './proposal-nodes.js';

const PAGE_SIZE = 200;

/** In no particular order. */
export async function* openProposals(graph: Pick<NodeStore, 'readNodes'>): AsyncGenerator<StoredProposal> {
  let afterId: string | undefined;
  for (;;) {
    const page = await graph.readNodes('ConsolidationProposal', {
      ...(afterId !== undefined && { afterId }),
      limit: PAGE_SIZE,
    });
    for (const node of page) {
      const proposal = readProposal(node);
      if (proposal.state === 'open') yield proposal;
    }
    if (page.length < PAGE_SIZE) return;
    afterId = page.at(-1)?.id;
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
  const older = memories.get(olderId);
  if (!older || !memories.has(newerId)) {
    throw new MemoryError('not_found', 'One of the two memories does not exist any more');
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
