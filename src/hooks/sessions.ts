/** Keeps the sessions of hosts: the latest sessions in memory, and more of them in the graph, for the log. */
import type { HookSession, Injection, SilenceReason } from '../domain/hooks.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import { readSession, sessionNode } from './session-nodes.js';

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
