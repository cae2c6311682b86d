/**
 * Computes what the assistant believed at each time: memories as spans of time, and chains of memories that
 * replaced each other.
 */
import type { RecallResult } from '../../api/recall-result.js';

export type Ending = 'superseded' | 'expired' | 'archived';

/** The span of time in which a memory was believed. Times are in milliseconds since 1970. */
export interface TimeSpan {
  id: string;
  content: string;
  type: RecallResult['memory']['type'];
  beginMs: number;
  /** Infinity while the memory is still believed. */
  endMs: number;
  endedBy?: Ending;
  /** Ids of the memories that replaced this memory. */
  successorIds: string[];
}

/** Spans of memories that replaced each other, oldest first. */
export interface Chain {
  id: string;
  spans: TimeSpan[];
}

const SUPERSEDING: ReadonlySet<string> = new Set(['INVALIDATED_BY', 'EVOLVED_INTO']);

/** A memory is believed from its `timestamp`, or from `t_valid` if that is later. */
export function toSpan({ memory, relations, not_current }: RecallResult): TimeSpan {
  const beginMs = Math.max(Date.parse(memory.timestamp), timeOf(memory.t_valid, -Infinity));
  const successors = relations.filter(({ type, direction }) => SUPERSEDING.has(type) && direction === 'outgoing');
  const archivedMs = timeOf(memory.archived_at, not_current === 'archived' ? beginMs : Infinity);
  const ends: [Ending, number][] = [
    ['superseded', Math.min(Infinity, ...successors.map(successor => Date.parse(successor.memory.timestamp)))],
    ['expired', timeOf(memory.t_invalid, Infinity)],
    ['archived', archivedMs],
  ];
  const [endedBy, endMs] = ends.reduce((first, each) => (each[1] < first[1] ? each : first));
  const span: TimeSpan = {
    id: memory.id,
    content: memory.content,
    type: memory.type,
    beginMs,
    // The timestamp of a successor may be earlier than the timestamp of the memory.
    endMs: Math.max(endMs, beginMs),
    successorIds: successors.map(successor => successor.memory.id),
  };
  return endMs === Infinity ? span : { ...span, endedBy };
}

function timeOf(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Date.parse(text);
}

export function isBelievedAt({ beginMs, endMs }: TimeSpan, instantMs: number): boolean {
  return beginMs <= instantMs && instantMs < endMs;
}

/** Joins spans into chains, latest chain first. Successors that are not in `spans` are ignored. */
export function toChains(spans: readonly TimeSpan[]): Chain[] {
  const groups = new Map(spans.map(span => [span.id, [span]]));
  for (const { id, successorIds } of spans) {
    for (const successorId of successorIds) {
      const [older, newer] = [groups.get(id), groups.get(successorId)];
      if (older === undefined || newer === undefined || older === newer) continue;
      older.push(...newer);
      for (const each of newer) groups.set(each.id, older);
    }
  }
  return [...new Set(groups.values())]
    .map(group => group.sort((a, b) => a.beginMs - b.beginMs || a.endMs - b.endMs))
    .map(group => ({ id: group[0]?.id ?? '', spans: group }))
    .sort((a, b) => lastBegin(b) - lastBegin(a));
}

function lastBegin({ spans }: Chain): number {
  return spans.at(-1)?.beginMs ?? 0;
}

/** The times at which a memory began or ceased to be believed, in order, without duplicates. */
export function changesOf(spans: readonly TimeSpan[]): number[] {
  const instants = spans.flatMap(({ beginMs, endMs }) => (endMs === Infinity ? [beginMs] : [beginMs, endMs]));
  return [...new Set(instants)].sort((a, b) => a - b);
}

export interface Period {
  startMs: number;
  endMs: number;
}

/** Returns the period from the first change to the present, or to the last change if that is later. */
export function periodOf(changes: readonly number[], nowMs: number): Period {
  const startMs = Math.min(nowMs, changes[0] ?? nowMs);
  const endMs = Math.max(nowMs, changes.at(-1) ?? nowMs);
  // The period lasts at least a minute, because an empty period has no positions.
  return { startMs, endMs: Math.max(endMs, startMs + 60_000) };
}

/** The position of the instant in the period, from 0 to 1. */
export function placeIn({ startMs, endMs }: Period, instantMs: number): number {
  const share = (instantMs - startMs) / (endMs - startMs);
  return Math.min(Math.max(share, 0), 1);
}
