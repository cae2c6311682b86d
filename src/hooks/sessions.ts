/** Keeps the sessions of hosts: the latest sessions in memory, and more of them in the graph, for the log. */
import {
  type HookSession,
  INJECTION_EVENTS,
  type InjectedMemory,
  type Injection,
  SILENCE_REASONS,
  type SilenceReason,
} from '../domain/hooks.js';
import { isPlainObject, type Json } from '../domain/json.js';
import { parseIso, toIso } from '../domain/time.js';
import type { AuxiliaryNode, NodeStore } from '../stores/ports/node-store.js';

export type SessionGraph = Pick<NodeStore, 'saveNode' | 'getNode' | 'listNodes' | 'countNodes' | 'deleteNodes'>;

export interface Sessions {
  /** Opens a stored session or a new one. While a session is active, each call returns the same object for its id. */
  open(id: string, nowMs: number): Promise<HookSession>;
  /** Writes the session in the background. If the write fails, only this part of the log is lost. */
  save(session: HookSession): void;
  /** Makes `flush` wait for work that will save a session later. */
  awaitLater(work: Promise<void>): void;
  /** The sessions, most recently updated first. */
  list(limit: number): Promise<HookSession[]>;
  find(id: string): Promise<HookSession | undefined>;
  /** Resolves when all saved sessions are written and all work given to `awaitLater` has ended. */
  flush(): Promise<void>;
}

/** Maximum number of sessions kept in memory. An older session is read from the graph again when it continues. */
const OPEN_MAX = 200;
/** Maximum number of sessions kept in the graph. Older sessions are removed. */
const KEPT_MAX = 500;
/** Maximum number of injections kept of one session. */
const INJECTIONS_MAX = 200;

export function createSessions(graph: SessionGraph, onFailure: (error: unknown) => void): Sessions {
  const open = new Map<string, Promise<HookSession>>();
  const dirty = new Set<HookSession>();
  const later = new Set<Promise<void>>();
  let writing = Promise.resolve();

  const read = async (id: string, nowMs: number): Promise<HookSession> => {
    const node = await graph.getNode('HookSession', id);
    return node
      ? readSession(node)
      : { id, startedMs: nowMs, updatedMs: nowMs, turns: 0, silences: {}, injections: [] };
  };
  const write = async () => {
    const sessions = [...dirty];
    dirty.clear();
    for (const session of sessions) await graph.saveNode(sessionNode(session));
    if (sessions.some(({ turns }) => turns <= 1)) await removeOldest(graph);
  };

  return {
    open: (id, nowMs) => {
      const known = open.get(id) ?? read(id, nowMs);
      open.delete(id);
      open.set(id, known);
      for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size - OPEN_MAX))) open.delete(oldest);
      // Do not cache the failure: the graph may be back at the next prompt.
      known.catch(() => open.delete(id));
      return known;
    },
    save: session => {
      dirty.add(session);
      writing = writing.then(write).catch(onFailure);
    },
    awaitLater: work => {
      const done: Promise<void> = work.catch(onFailure).finally(() => later.delete(done));
      later.add(done);
    },
    list: async limit => (await graph.listNodes('HookSession', limit)).map(readSession),
    find: async id => {
      const node = await graph.getNode('HookSession', id);
      return node && readSession(node);
    },
    flush: async () => {
      await Promise.all(later);
      await writing;
    },
  };
}

async function removeOldest(graph: SessionGraph): Promise<void> {
  const excess = (await graph.countNodes('HookSession')) - KEPT_MAX;
  if (excess <= 0) return;
  const latest = await graph.listNodes('HookSession', KEPT_MAX + excess);
  await graph.deleteNodes(
    'HookSession',
    latest.slice(KEPT_MAX).map(({ id }) => id),
  );
}

export function noteInjection(session: HookSession, injection: Injection): void {
  session.injections = [...session.injections, injection].slice(-INJECTIONS_MAX);
}

export function noteSilence(session: HookSession, reason: SilenceReason): void {
  session.silences[reason] = (session.silences[reason] ?? 0) + 1;
}

/** Ids of the memories that the session has been given, and that its assistant still has before it. */
export function shownIn({ injections, compactedMs = Number.NEGATIVE_INFINITY }: HookSession): Set<string> {
  const kept = injections.filter(({ atMs }) => atMs >= compactedMs);
  return new Set(kept.flatMap(({ memories }) => memories.map(({ id }) => id)));
}

function sessionNode(session: HookSession): AuxiliaryNode {
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
function readSession({ id, properties, updated_at }: AuxiliaryNode): HookSession {
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
