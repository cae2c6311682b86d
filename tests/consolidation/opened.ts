/** Opens an application with given settings of consolidation, stores memories of chosen ages, and dumps the graph. */
import { onTestFinished } from 'vitest';
import { MS_PER_DAY, toIso } from '../../src/domain/time.js';
import { NODE_KINDS, type NodeKind } from '../../src/stores/ports/node-store.js';
import { createTestApp, recordingLog, send } from '../http/test-app.js';
import { openGraphOf, openTestEngine } from '../support/test-engine.js';

export const ADMIN = { headers: { 'x-admin-token': 'admin' } };
const PAGE = { limit: 500 };
/** Kinds of the nodes that describe the runs themselves. Every run adds such nodes. */
const RUN_KINDS: readonly NodeKind[] = ['ConsolidationRun', 'ConsolidationControl', 'ConsolidationChanges'];

/**
 * @param env settings by their names without the prefix `CONSOLIDATION_`
 * @param others settings by their full names
 */
export async function opened(env: Record<string, string> = {}, others: Record<string, string> = {}) {
  const settings = Object.entries(env).map(([name, value]) => [`CONSOLIDATION_${name}`, value]);
  const opened = await openTestEngine({ ...Object.fromEntries(settings), ...others });
  onTestFinished(opened.close);
  const { clock, config } = opened;
  const { log, entries } = recordingLog();
  const call = (route: string, json?: object, given = {}) =>
    send(createTestApp({ engine: opened.engine, settings: { adminToken: 'admin' }, log }), route, {
      ...(json && { json }),
      ...given,
    });
  const daysAgo = (days: number) => toIso(clock.nowMs() - days * MS_PER_DAY);
  return {
    ...opened,
    call,
    logged: entries,
    daysAgo,
    /** Runs one mode, not as a dry run, and returns its report. */
    run: async (mode: string) => {
      const { status, body } = await call('POST /consolidate', { mode, dry_run: false });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.consolidation;
    },
    memory: async (id: string) => (await call(`GET /memory/${id}`)).body,
    /** Stores memories whose ages are given in days. */
    store: async (...memories: { days: number; id?: string; [field: string]: unknown }[]) => {
      for (const { days, ...memory } of memories) {
        const { status, body } = await call('POST /memory', { timestamp: daysAgo(days), ...memory });
        if (status !== 201) throw new Error(JSON.stringify(body));
      }
      await opened.engine.idle();
    },
    /** Returns everything in the graph as text, except the records of runs. */
    dump: async (kinds: readonly NodeKind[] = NODE_KINDS.filter(kind => !RUN_KINDS.includes(kind))) => {
      let text = '';
      await opened.engine.idle();
      await opened.reopen(async () => {
        const graph = openGraphOf(config);
        try {
          const records = await graph.readRecords(PAGE);
          const ids = records.map(({ memory }) => memory.id);
          const nodes = await Promise.all(kinds.map(kind => graph.readNodes(kind, PAGE)));
          const edges = [...(await graph.relationsOf({ ids, limit: 1_000 })).entries()];
          const relations = edges.map(([id, own]) => [id, own.map(edge => JSON.stringify(edge)).sort()]);
          const links = (await graph.linksOf(ids)).map(link => JSON.stringify(link)).sort();
          text = JSON.stringify({ records, nodes, relations, links }, undefined, 1);
        } finally {
          await graph.close();
        }
      });
      return text;
    },
  };
}
