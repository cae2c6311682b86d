/** `engraph doctor`: takes a probe through the real path and says in plain words what works and what does not. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { onOneLine } from '../../domain/visible-text.js';
import type { Engine } from '../../engine/engine.js';
import { openEngine } from '../../engine/open.js';
import type { CommandParts } from '../command.js';

/** Marks probes, so that one left behind by a killed doctor is cleared away by the next. */
const PROBE_TAG = 'engraph-doctor-probe';
const VECTOR_DEADLINE_MS = 10_000;

/** @returns 0 when everything that an assistant needs works, else 1 */
export async function runDoctor({ config, log, version }: CommandParts): Promise<number> {
  say(`engraph ${version}, memories in ${config.dataDir}`);
  const opened: { engine?: Engine } = {};
  const isOpen = await check('open', async () => {
    opened.engine = await openEngine(config, { log });
    return 'the memory opens';
  });
  const works = isOpen && opened.engine !== undefined && (await examine(opened.engine));
  say(works ? 'Everything works.' : 'Not everything works: see the lines marked FAILS.');
  return works ? 0 : 1;
}

async function examine(engine: Engine): Promise<boolean> {
  try {
    const id = randomUUID();
    const outcomes = [
      await check('stores', () => describeStores(engine)),
      await check('store', () => storeProbe(engine, id)),
      await check('recall', () => recallProbe(engine, id)),
      await check('vectors', () => describeVectorSearch(engine, id)),
      await check('delete', () => deleteProbe(engine, id)),
    ];
    return outcomes.every(Boolean);
  } finally {
    await engine.close();
  }
}

async function describeStores(engine: Engine): Promise<string> {
  const { reasons, graph, vectors, embedder } = await engine.health();
  const text =
    `graph: ${describeStore(graph)}, vectors: ${describeStore(vectors)}, ` +
    `embeddings: ${embedder.description}, because ${embedder.choiceReason}, memories: ${graph.memoryCount ?? 'unknown'}`;
  if (reasons.length > 0) throw new MemoryError('unavailable', text);
  return text;
}

function describeStore({ description, isReachable }: { description: string; isReachable: boolean }): string {
  return `${description} (${isReachable ? 'connected' : 'disconnected'})`;
}

async function storeProbe(engine: Engine, id: string): Promise<string> {
  await engine.removeByTag([PROBE_TAG]);
  const { durationMs } = await engine.store({
    id,
    content: probeText(id),
    type: 'Context',
    importance: 0,
    tags: [PROBE_TAG],
    metadata: {},
  });
  return `a probe was stored in ${durationMs.toFixed(1)} ms`;
}

async function recallProbe(engine: Engine, id: string): Promise<string> {
  const { durationMs } = await findProbe(engine, id);
  return `the probe was found in ${durationMs.toFixed(1)} ms`;
}

/**
 * Without vectors recall goes on by keyword, so this only tells, except of a model that was set up and does not work.
 */
async function describeVectorSearch(engine: Engine, id: string): Promise<string> {
  const isIdle = await Promise.race([engine.idle().then(() => true), delay(VECTOR_DEADLINE_MS, false, { ref: false })]);
  const { results, isVectorSearchEnabled } = await findProbe(engine, id);
  const { embedder } = await engine.health();
  if (embedder.lastFailure !== undefined) throw new MemoryError('unavailable', embedder.lastFailure);
  if (results.some(({ foundBy }) => foundBy.includes('vector'))) return 'vector search finds the probe';
  if (!isVectorSearchEnabled) return 'vector search is not available: recall goes by keyword';
  return isIdle ? 'vector search does not find the probe: recall goes by keyword' : 'vectors are still being made';
}

async function findProbe(engine: Engine, id: string) {
  const outcome = await engine.recall({
    query: probeText(id),
    limit: 1,
    tags: [PROBE_TAG],
    exclude_tags: [],
    tag_mode: 'any',
    tag_match: 'exact',
  });
  if (outcome.results.some(({ memory }) => memory.id === id)) return outcome;
  throw new MemoryError('internal', 'the probe was stored but recall does not find it');
}

async function deleteProbe(engine: Engine, id: string): Promise<string> {
  await engine.remove(id);
  const isGone = await engine.get(id).then(
    () => false,
    (error: unknown) => error instanceof MemoryError && error.code === 'not_found',
  );
  if (!isGone) throw new MemoryError('internal', 'the probe is still there after it was deleted');
  return 'the probe was deleted and is gone';
}

function probeText(id: string): string {
  return `Engraph doctor probe ${id}`;
}

/** Runs one check and prints its outcome. */
async function check(name: string, run: () => Promise<string>): Promise<boolean> {
  try {
    say(`  works  ${name.padEnd(8)} ${await run()}`);
    return true;
  } catch (error) {
    const hint = error instanceof MemoryError && error.hint !== undefined ? `. ${error.hint}` : '';
    say(`  FAILS  ${name.padEnd(8)} ${messageOf(error)}${hint}`);
    return false;
  }
}

function say(line: string): void {
  process.stdout.write(`${onOneLine(line)}\n`);
}
