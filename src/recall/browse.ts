/** The part of recall that asks nothing: what is most important, or newest, among what passes the filter (decisions D19). */
import type { MemoryFilter } from '../domain/filter.js';
import type { RecallQuery, SortOrder } from '../domain/recall-query.js';
import { toCandidate } from './candidate.js';
import { listedChannel } from './channels/listed.js';
import { readEvidence } from './evidence.js';
import { scoreCandidate } from './score.js';
import type { Found, RecallParts } from './search.js';

export async function browse(
  parts: RecallParts,
  query: RecallQuery,
  { filter, sort }: { filter: MemoryFilter; sort: SortOrder },
): Promise<Found> {
  const ids = await listedChannel(parts.graph, { filter, sort, limit: query.limit });
  const memories = await parts.graph.getMemories(ids);
  const evidence = readEvidence('', { memoryCount: 0, frequencies: new Map() });
  const nowMs = parts.clock.nowMs();
  const matchType = query.tags.length > 0 ? 'tag' : 'keyword';
  const candidates = ids.flatMap(id => {
    const memory = memories.get(id);
    if (!memory) return [];
    const candidate = toCandidate(memory, evidence, undefined);
    const score = scoreCandidate({ candidate, context: candidate, evidence }, parts.settings.weights, nowMs);
    return [{ memory, score: { ...score, matchType, matchScore: memory.importance } as const, isVectorHit: false }];
  });
  return { candidates, isVectorSearchEnabled: parts.vectors !== undefined };
}
