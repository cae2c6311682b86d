/** Converts sessions to `HookSession` nodes of the graph and back. */
import {
  type HookSession,
  INJECTION_EVENTS,
  type InjectedMemory,
  type Injection,
  SILENCE_REASONS,
} from '../domain/hooks.js';
import { isPlainObject, type Json } from '../domain/json.js';
import { parseIso, toIso } from '../domain/time.js';
import type { AuxiliaryNode } from '../stores/ports/node-store.js';

export function sessionNode(session: HookSession): AuxiliaryNode {
  const { id, startedMs, updatedMs, turns, nudgedMs, compactedMs, endedMs, silences, injections } = session;
  return {
    kind: 'HookSession',
    id,
    properties: {
      started_at: toIso(startedMs),
      turns,
      ...(nudgedMs !== undefined && { nudged_at: toIso(nudgedMs) }),
      ...(compactedMs !== undefined && { compacted_at: toIso(compactedMs) }),
      ...(endedMs !== undefined && { ended_at: toIso(endedMs) }),
      silences: { ...silences },
      injections: injections.map(injectionValue),
    },
    updated_at: toIso(updatedMs),
  };
}

function injectionValue({ atMs, memories, ...rest }: Injection): Json {
  return { ...rest, at: toIso(atMs), memories: memories.map(memory => ({ ...memory })) };
}

/** Skips a field that it cannot read, because another program may have written the node. */
export function readSession({ id, properties, updated_at }: AuxiliaryNode): HookSession {
  const { started_at, turns, nudged_at, compacted_at, ended_at, silences, injections } = properties;
  const updatedMs = instantOf(updated_at) ?? 0;
  const nudgedMs = instantOf(nudged_at);
  const compactedMs = instantOf(compacted_at);
  const endedMs = instantOf(ended_at);
  const counts = isPlainObject(silences) ? silences : {};
  return {
    id,
    startedMs: instantOf(started_at) ?? updatedMs,
    updatedMs,
    turns: numberOf(turns),
    ...(nudgedMs !== undefined && { nudgedMs }),
    ...(compactedMs !== undefined && { compactedMs }),
    ...(endedMs !== undefined && { endedMs }),
    silences: Object.fromEntries(
      SILENCE_REASONS.flatMap(reason => (reason in counts ? [[reason, numberOf(counts[reason])]] : [])),
    ),
    injections: Array.isArray(injections) ? injections.flatMap(readInjection) : [],
  };
}

function readInjection(value: unknown): Injection[] {
  if (!isPlainObject(value)) return [];
  const { at, event, turn, prompt, memories, tokens, durationMs } = value;
  const atMs = instantOf(at);
  const known = INJECTION_EVENTS.find(name => name === event);
  if (atMs === undefined || known === undefined || !Array.isArray(memories)) return [];
  return [
    {
      atMs,
      event: known,
      turn: numberOf(turn),
      ...(typeof prompt === 'string' && { prompt }),
      memories: memories.filter(
        each => isPlainObject(each) && typeof each.id === 'string',
      ) as unknown as InjectedMemory[],
      tokens: numberOf(tokens),
      durationMs: numberOf(durationMs),
    },
  ];
}

function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseIso(value) : undefined;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
