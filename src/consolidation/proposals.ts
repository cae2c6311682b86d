/**
 * Lists proposals and carries out the answers of a person or an assistant. Memories are not merged without an answer.
 */

import { partsOf } from '../domain/collections.js';
import type {
  Acceptance,
  OpenProposal,
  Proposal,
  ProposalAction,
  ProposalState,
  StoredProposal,
} from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { invalidityAt } from '../domain/filter.js';
import { canonicalJson, isPlainObject } from '../domain/json.js';
import type { Memory } from '../domain/memory.js';
import { ALL_EDGES, AUTHORABLE_RELATION_TYPES, type Relation } from '../domain/relation.js';
import { normalizeTags, tagPrefixes } from '../domain/tags.js';
import { toIso } from '../domain/time.js';
import { isAnswered } from '../replacement/finder.js';
import { endSuggestions } from '../replacement/suggest.js';
import type { GraphStore } from '../stores/graph-store.js';
import { NODES_PER_PAGE, nodePages } from '../stores/pages.js';
import type { AuxiliaryNode, NodeStore } from '../stores/ports/node-store.js';
import { changeMemory, type JournalParts, removeEdgeIf } from './journal.js';

type Graph = Pick<GraphStore, 'readNodes' | 'getMemories' | 'relationsOf' | 'deleteNodes'>;

/** Returns open proposals with the present contents of both memories, in no particular order. */
export async function openProposals(graph: Graph, limit: number): Promise<OpenProposal[]> {
  const found: StoredProposal[] = [];
  for await (const proposal of storedProposals(graph)) {
    if (proposal.state === 'open' && found.push(proposal) >= limit) break;
  }
  const memories = await graph.getMemories([...new Set(found.flatMap(({ olderId, newerId }) => [olderId, newerId]))]);
  const contentOf = (id: string) => memories.get(id)?.content ?? null;
  return found.map(each => ({ ...each, olderContent: contentOf(each.olderId), newerContent: contentOf(each.newerId) }));
}

/**
 * Removes obsolete open proposals. A proposal is obsolete when one of its two memories is deleted or archived, when the
 * older memory is not currently valid, or when callers have answered it with an edge.
 */
export async function withdrawObsolete(graph: Graph, nowMs: number): Promise<void> {
  const open: StoredProposal[] = [];
  for await (const proposal of storedProposals(graph)) {
    if (proposal.state === 'open' && !proposal.acceptance) open.push(proposal);
  }
  for (const part of partsOf(open, NODES_PER_PAGE)) {
    const memories = await graph.getMemories([...new Set(part.flatMap(({ olderId, newerId }) => [olderId, newerId]))]);
    const ids = part.map(({ olderId }) => olderId);
    const edges = await graph.relationsOf({ ids, limit: ALL_EDGES, types: AUTHORABLE_RELATION_TYPES });
    const pointless = part.filter(pair => {
      const [older, newer] = [memories.get(pair.olderId), memories.get(pair.newerId)];
      if (!older || !newer || newer.archived || invalidityAt(older, nowMs) !== undefined) return true;
      return isAnswered(edges.get(pair.olderId), pair);
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
 * Accepts, dismisses or reopens a proposal. Accepting a proposal lets the newer memory replace the older one; for
 * duplicates, the newer memory gets the tags of both memories and the higher importance. A dismissed proposal is kept,
 * so that no later run repeats this proposal. Reopening undoes either answer.
 *
 * @throws MemoryError `not_found` for an unknown proposal or a deleted memory; `conflict` when the proposal was already
 *   answered, when an open proposal is to be reopened, or when the newer memory is archived
 */
export async function settleProposal(
  parts: JournalParts,
  { id, action, nowMs }: { id: string; action: ProposalAction; nowMs: number },
): Promise<StoredProposal> {
  const node = await parts.graph.getNode('ConsolidationProposal', id);
  if (!node) throw new MemoryError('not_found', `There is no proposal ${id}`);
  const { acceptance: begun, ...proposal } = readProposal(node);
  assertSettleable(proposal, action);
  const save = async (state: ProposalState, acceptance?: Acceptance) => {
    const at = toIso(nowMs);
    await parts.graph.saveNode(proposalNode(proposal, { state, at, ...(acceptance && { acceptance }) }));
    return { ...proposal, state, updatedAt: at };
  };
  if (action === 'accept') {
    const acceptance = begun ?? (await planAcceptance(parts, proposal, nowMs));
    await save('open', acceptance);
    await carryOutAcceptance(parts, proposal, acceptance);
    return save('accepted', acceptance);
  }
  if (begun) await undoAcceptance(parts, proposal, { acceptance: begun, nowMs });
  if (action === 'dismiss') await endSuggestions(parts.graph, [{ from: proposal.olderId, to: proposal.newerId }]);
  return save(action === 'dismiss' ? 'dismissed' : 'open');
}

function assertSettleable({ state }: StoredProposal, action: ProposalAction): void {
  if (action === 'reopen' && state === 'open') throw new MemoryError('conflict', 'The proposal is already open');
  if (action !== 'reopen' && state !== 'open') {
    throw new MemoryError('conflict', `The proposal has already been ${state}`, {
      hint: 'The action reopen undoes that answer.',
    });
  }
}

type Pair = Pick<StoredProposal, 'olderId' | 'newerId'>;

/** @throws MemoryError `not_found` for a memory that no longer exists, `conflict` if the newer memory is archived */
async function planAcceptance(
  { graph }: Pick<JournalParts, 'graph'>,
  { olderId, newerId }: Pair,
  nowMs: number,
): Promise<Acceptance> {
  const memories = await graph.getMemories([olderId, newerId]);
  const [older, newer] = [memories.get(olderId), memories.get(newerId)];
  if (!older || !newer) throw new MemoryError('not_found', 'One of the two memories no longer exists');
  // If an archived memory replaced another one, recall would find neither of the two.
  if (newer.archived) {
    throw new MemoryError('conflict', `The newer memory ${newerId} is archived and cannot replace another memory`);
  }
  return { at: toIso(nowMs), tags: newer.tags, importance: newer.importance };
}

/** The edge that an acceptance writes. */
function acceptedEdge({ olderId, newerId, reason }: StoredProposal, at: string): Relation {
  return { from: olderId, to: newerId, type: 'INVALIDATED_BY', strength: 1, properties: { reason }, updated_at: at };
}

async function carryOutAcceptance(parts: JournalParts, proposal: StoredProposal, { at }: Acceptance): Promise<void> {
  const { kind, olderId, newerId } = proposal;
  const { graph } = parts;
  const edge = acceptedEdge(proposal, at);
  const edges = (await graph.relationsOf({ ids: [olderId], limit: ALL_EDGES, types: [edge.type] })).get(olderId) ?? [];
  // An edge that a caller has written has a reason and a strength of its own, which must stay.
  if (!edges.some(({ from, to }) => from === olderId && to === newerId)) await graph.saveRelations([edge]);
  await endSuggestions(parts.graph, [{ from: olderId, to: newerId }]);
  const older = (await parts.graph.getMemories([olderId])).get(olderId);
  if (kind === 'duplicate' && older) await changeMemory(parts, newerId, memory => merged(memory, older, at));
}

function merged(newer: Memory, older: Memory, at: string): Memory {
  const tags = normalizeTags([...newer.tags, ...older.tags]);
  const importance = Math.max(newer.importance, older.importance);
  return { ...newer, tags, tag_prefixes: tagPrefixes(tags), importance, updated_at: at };
}

/**
 * Undoes an acceptance. The edge and the newer memory stay as they are if they were changed after the acceptance.
 */
async function undoAcceptance(
  parts: JournalParts,
  proposal: StoredProposal,
  { acceptance: { at, tags, importance }, nowMs }: { acceptance: Acceptance; nowMs: number },
): Promise<void> {
  const written = acceptedEdge(proposal, at);
  await removeEdgeIf(parts, written, edge => canonicalJson(edge) === canonicalJson(written));
  if (proposal.kind !== 'duplicate') return;
  await changeMemory(parts, proposal.newerId, memory =>
    memory.updated_at === at
      ? { ...memory, tags: [...tags], tag_prefixes: tagPrefixes(tags), importance, updated_at: toIso(nowMs) }
      : undefined,
  );
}

export function proposalNode(
  { id, kind, olderId, newerId, reason, numbers }: Proposal,
  { state, at, acceptance }: { state: ProposalState; at: string; acceptance?: Acceptance },
): AuxiliaryNode {
  return {
    kind: 'ConsolidationProposal',
    id,
    properties: {
      ...{ kind, older_id: olderId, newer_id: newerId, reason, numbers: JSON.stringify(numbers), state },
      ...(acceptance && { acceptance: JSON.stringify(acceptance) }),
    },
    updated_at: at,
  };
}

export function readProposal({ id, properties, updated_at }: AuxiliaryNode): StoredProposal {
  const { kind, older_id, newer_id, reason, numbers, state, acceptance } = properties;
  return {
    id,
    kind: kind === 'duplicate' ? 'duplicate' : 'replaced',
    olderId: String(older_id),
    newerId: String(newer_id),
    reason: String(reason),
    numbers: readNumbers(numbers),
    state: state === 'accepted' || state === 'dismissed' ? state : 'open',
    updatedAt: updated_at,
    ...(typeof acceptance === 'string' && { acceptance: JSON.parse(acceptance) as Acceptance }),
  };
}

function readNumbers(text: unknown): Record<string, number> {
  try {
    const read: unknown = JSON.parse(String(text));
    return isPlainObject(read) ? (read as Record<string, number>) : {};
  } catch {
    return {};
  }
}

/**
 * Returns all proposals in any state, in no particular order.
 *
 * @param onPage called before each page
 */
export async function* storedProposals(
  graph: Pick<NodeStore, 'readNodes'>,
  onPage?: () => Promise<void>,
): AsyncGenerator<StoredProposal> {
  for await (const page of nodePages(graph, 'ConsolidationProposal', onPage)) yield* page.map(readProposal);
}
