/** Stores proposals in nodes of kind ConsolidationProposal, together with the answers to them. */
import type { Acceptance, Proposal, ProposalState, StoredProposal } from '../domain/consolidation.js';
import { isPlainObject } from '../domain/json.js';
import type { AuxiliaryNode, NodeStore } from '../stores/ports/node-store.js';

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

const PAGE_SIZE = 200;

/**
 * Returns all proposals in any state, in no particular order.
 *
 * @param onPage called before each page
 */
export async function* storedProposals(
  graph: Pick<NodeStore, 'readNodes'>,
  onPage: () => Promise<void> = async () => {},
): AsyncGenerator<StoredProposal> {
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = { ...(afterId !== undefined && { afterId }), limit: PAGE_SIZE };
    const nodes = await graph.readNodes('ConsolidationProposal', page);
    yield* nodes.map(readProposal);
    afterId = nodes.at(-1)?.id;
    if (afterId === undefined) return;
  }
}
