/**
 * Runs consolidation on its own stores behind the routes of a real application, so that tests can make these stores
 * block or fail.
 */
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { type Consolidation, startConsolidation } from '../../src/consolidation/consolidation.js';
import type { ScheduledWork } from '../../src/consolidation/runs.js';
import { messageOf } from '../../src/domain/errors.js';
import { MS_PER_DAY, toIso } from '../../src/domain/time.js';
import { createVectorProjection } from '../../src/projection/create-projection.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { openBrokenApp, openTestApp, send } from '../http/test-app.js';
import { BY_WORDS } from '../support/judges.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DIMENSIONS = 64;

export interface Failure {
  undertaking: ScheduledWork;
  problem: string;
}

/** @param env settings, named without the prefix `CONSOLIDATION_` */
export async function openApart(env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const clock = createManualClock();
  const { graph, vectors } = openSqlitePair(folder.path, { dimensions: DIMENSIONS, clock });
  const { consolidation: settings } = loadConfig(
    Object.fromEntries(Object.entries(env).map(([name, value]) => [`CONSOLIDATION_${name}`, value])),
  );
  const failures: Failure[] = [];
  const started: Consolidation[] = [];
  /** Simulates another process on the same stores. `replaced` replaces methods of its graph. */
  const start = (replaced: Partial<GraphStore> = {}) => {
    const spoilt = withReplaced(graph, replaced);
    let ids = 0;
    let ticks = 0;
    const name = started.length + 1;
    const consolidation = startConsolidation({
      graph: spoilt,
      vectors,
      projection: createVectorProjection({ graph: spoilt, vectors, onVectorFailure: () => {} }),
      models: ['m'],
      judge: BY_WORDS,
      settings,
      clock: {
        ...clock,
        schedule: (delayMs, callback) => {
          ticks += 1;
          return clock.schedule(delayMs, callback);
        },
      },
      random: () => 0.5,
      newId: () => {
        ids += 1;
        return idOf(name * 1_000 + ids);
      },
      afterRequests: async () => {},
      onRemoved: () => {},
      onRestored: () => {},
      onFailure: (undertaking, error) => failures.push({ undertaking, problem: messageOf(error) }),
    });
    started.push(consolidation);
    /** Resolves when the current tick has ended. */
    const settled = async () => {
      const before = ticks;
      while (ticks === before) await new Promise(resolve => setImmediate(resolve));
    };
    /** Advances the clock a minute at a time, and waits after each minute until its tick has ended. */
    const tick = async (count = 1) => {
      for (let index = 0; index < count; index++) {
        const ended = settled();
        clock.advance(60_000);
        await ended;
      }
    };
    return { consolidation, tick, settled };
  };
  const app = await openTestApp();
  onTestFinished(async () => {
    await Promise.all(started.map(each => each.stop()));
    await graph.close();
    await app.close();
    folder.remove();
  });
  return {
    graph,
    clock,
    failures,
    start,
    /** Returns a function that sends requests to an application with this consolidation. */
    callerOf: (consolidation: Consolidation) => {
      const { app: broken } = openBrokenApp(app.engine, { consolidation });
      return (route: string, json?: object) => send(broken, route, json && { json });
    },
    /** Stores memories of low importance that are `days` old. */
    store: async (days: number, ...numbers: number[]) => {
      const timestamp = toIso(clock.nowMs() - days * MS_PER_DAY);
      const given = { type: 'Habit', importance: 0.1, timestamp } as const;
      const memories = numbers.map(number => memory(number, given));
      await graph.saveMemories(memories.map(memory => ({ memory, work: [] })));
    },
  };
}

function withReplaced(graph: GraphStore, replaced: Partial<GraphStore>): GraphStore {
  return new Proxy(graph, {
    get: (target, name) => Reflect.get(name in replaced ? replaced : target, name),
  });
}

/** A gate that blocks a call until the test opens it. */
export function createGate() {
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  const reached = new Promise<void>(resolve => {
    reach = resolve;
  });
  return {
    /** Resolves when a call waits at the gate. */
    reached,
    open,
    pass: () => {
      reach();
      return opened;
    },
  };
}
