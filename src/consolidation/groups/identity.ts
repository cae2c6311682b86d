/**
 * Matches new groups with known groups: a new group continues the known group with which it has the most members in
 * common.
 */
import type { GroupSummary } from '../../domain/consolidation.js';

/** Minimum number of common members, as a share of the smaller group. */
const SHARED_MIN = 0.5;

/** @returns for each group the known summary that it continues; each summary is continued at most once */
export function continuedSummaries(
  groups: readonly (readonly string[])[],
  known: readonly GroupSummary[],
): Map<number, GroupSummary> {
  const summariesOf = new Map<string, GroupSummary[]>();
  for (const summary of known) {
    for (const id of summary.memberIds) summariesOf.set(id, [...(summariesOf.get(id) ?? []), summary]);
  }
  const overlaps = groups.flatMap((members, group) => overlapsOf(group, members, summariesOf));
  overlaps.sort((a, b) => b.shared - a.shared || a.group - b.group || (a.summary.id < b.summary.id ? -1 : 1));
  const continued = new Map<number, GroupSummary>();
  const taken = new Set<GroupSummary>();
  for (const { group, summary } of overlaps) {
    if (continued.has(group) || taken.has(summary)) continue;
    continued.set(group, summary);
    taken.add(summary);
  }
  return continued;
}

function overlapsOf(group: number, members: readonly string[], summariesOf: ReadonlyMap<string, GroupSummary[]>) {
  const counts = new Map<GroupSummary, number>();
  for (const id of members) {
    for (const summary of summariesOf.get(id) ?? []) counts.set(summary, (counts.get(summary) ?? 0) + 1);
  }
  return [...counts]
    .filter(([{ memberIds }, shared]) => shared >= SHARED_MIN * Math.min(members.length, memberIds.length))
    .map(([summary, shared]) => ({ group, summary, shared }));
}
