/**
 * Lets the newer memory of a proposal replace the older one, and undoes the replacement. Replacing and undoing can be
 * repeated safely.
 */
import type { Acceptance, StoredProposal } from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import type { Memory } from '../domain/memory.js';
import { tagPrefixes } from '../domain/tags.js';
import { toIso } from '../domain/time.js';
import { endSuggestions } from '../replacement/suggest.js';
import { type ApplyParts, changeMemory } from './apply.js';

type Pair = Pick<StoredProposal, 'olderId' | 'newerId'>;

/** @throws MemoryError `not_found` for a memory that no longer exists, `conflict` if the newer memory is archived */
export async function planAcceptance(
  { graph }: Pick<ApplyParts, 'graph'>,
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

export async function carryOutAcceptance(
  parts: ApplyParts,
  { kind, olderId, newerId, reason }: StoredProposal,
  { at }: Acceptance,
): Promise<void> {
  await parts.graph.saveRelations([
    { from: olderId, to: newerId, type: 'INVALIDATED_BY', strength: 1, properties: { reason }, updated_at: at },
  ]);
  await endSuggestions(parts.graph, [{ from: olderId, to: newerId }]);
  const older = (await parts.graph.getMemories([olderId])).get(olderId);
  if (kind === 'duplicate' && older) await changeMemory(parts, newerId, memory => merged(memory, older, at));
}

function merged(newer: Memory, older: Memory, at: string): Memory {
  const tags = [...new Set([...newer.tags, ...older.tags])];
  const importance = Math.max(newer.importance, older.importance);
  return { ...newer, tags, tag_prefixes: tagPrefixes(tags), importance, updated_at: at };
}

/**
 * Undoes an acceptance. The edge and the newer memory stay as they are if they were changed after the acceptance.
 */
export async function undoAcceptance(
  parts: ApplyParts,
  { kind, olderId, newerId }: StoredProposal,
  { acceptance: { at, tags, importance }, nowMs }: { acceptance: Acceptance; nowMs: number },
): Promise<void> {
  const edge = { from: olderId, to: newerId, type: 'INVALIDATED_BY' } as const;
  const edges = await parts.graph.relationsOf({ ids: [olderId], limit: EDGES_MAX, types: [edge.type] });
  const isOurs = edges
    .get(olderId)
    ?.some(({ from, to, updated_at }) => from === olderId && to === newerId && updated_at === at);
  if (isOurs) await parts.graph.removeRelations([edge]);
  if (kind !== 'duplicate') return;
  const updated_at = toIso(nowMs);
  await changeMemory(parts, newerId, memory =>
    memory.updated_at === at
      ? { ...memory, tags: [...tags], tag_prefixes: tagPrefixes(tags), importance, updated_at }
      : memory,
  );
}

/** Maximum number of edges of one type that are read for a memory. No memory should reach this limit. */
const EDGES_MAX = 10_000;
