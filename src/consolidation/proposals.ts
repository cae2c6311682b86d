/**
 * Lists proposals and carries out the answers of a person or an assistant. Memories are not merged without an answer.
 */
import type {
  Acceptance,
  OpenProposal,
  ProposalAction,
  ProposalState,
  StoredProposal,
} from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { invalidityAt } from '../domain/filter.js';
import { partsOf } from '../domain/parts.js';
import { toIso } from '../domain/time.js';
import { endSuggestions } from '../replacement/suggest.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import { carryOutAcceptance, planAcceptance, undoAcceptance } from './acceptance.js';
import type { ApplyParts } from './apply.js';
import { proposalNode, readProposal, storedProposals } from './proposal-nodes.js';

const PAGE_SIZE = 200;

type Graph = Pick<GraphStore, 'readNodes' | 'getMemories' | 'deleteNodes'>;

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
 * Removes obsolete open proposals. A proposal is obsolete when one of its two memories is deleted or archived, or when
 * the older memory is not currently valid.
 */
export async function withdrawObsolete(graph: Graph, nowMs: number): Promise<void> {
  const open: StoredProposal[] = [];
  for await (const proposal of storedProposals(graph)) {
    if (proposal.state === 'open' && !proposal.acceptance) open.push(proposal);
  }
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
 * Accepts, dismisses or reopens a proposal. Accepting a proposal lets the newer memory replace the older one; for
 * duplicates, the newer memory gets the tags of both memories and the higher importance. A dismissed proposal is kept,
 * so that no later run repeats this proposal. Reopening undoes either answer.
 *
 * @throws MemoryError `not_found` for an unknown proposal or a deleted memory; `conflict` when the proposal was already
 *   answered, when an open proposal is to be reopened, or when the newer memory is archived
 */
export async function settleProposal(
  parts: ApplyParts,
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
