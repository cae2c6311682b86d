/** `engraph doctor`: stores, recalls and deletes a probe, starts the commands of clients, and reports what works. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type EngraphClient, EngraphError, type HealthAnswer } from '../../client/client.js';
import type { Config } from '../../config.js';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { systemClock } from '../../engine/clock.js';
import { createLogger } from '../../log.js';
import { createMemoryClient } from '../../sharing/memory-client.js';
import { type SharedMemory, shareMemory } from '../../sharing/shared-memory.js';
import { checkClients } from '../client-checks.js';
import type { CommandParts } from '../command.js';
import { say } from '../say.js';

/** The tag of probes. The next run uses the tag to delete a probe that a killed run left behind. */
const PROBE_TAG = 'engraph-doctor-probe';
const VECTOR_DEADLINE_MS = 10_000;
const VECTOR_POLL_MS = 100;

/** @returns 0 if all parts that an assistant needs work, otherwise 1 */
export async function runDoctor({ config, version, environment }: CommandParts): Promise<number> {
  say(`engraph ${version}, memories in ${config.remote?.url ?? config.dataDir}`);
  // Switch off the log, because its lines would appear between the doctor's own findings.
  const log = createLogger('silent');
  const memory = shareMemory({ config, version, log, clock: systemClock });
  let works: boolean;
  try {
    const isOpen = await check('open', () => open(memory, config));
    works = isOpen && (await examine(createMemoryClient(memory.fetch, log), config));
  } finally {
    await memory.close();
  }
  const clientsWork = await checkClients(environment, check);
  say(works && clientsWork ? 'Everything works.' : 'Not everything works: see the lines marked FAILS.');
  return works && clientsWork ? 0 : 1;
}

async function open(memory: SharedMemory, { remote }: Config): Promise<string> {
  const owner = await memory.open();
  if (owner) return `process ${owner.pid} has the memory open, so the next checks go through that process`;
  return remote ? `the next checks go to ${remote.url}` : 'the memory opens';
}

async function examine(memory: EngraphClient, { isReadOnly, remote }: Config): Promise<boolean> {
  let health: HealthAnswer | undefined;
  const areWell = await check('stores', async () => {
    health = await memory.health();
    return describeStores(health);
  });
  // Skip the other checks, because each would wait just as long for an answer.
  if (!health) return false;
  if (isReadOnly) {
    say('  skipped store, recall, vectors and delete: they need a probe, and ENGRAPH_READ_ONLY forbids storing it');
    return areWell;
  }
  // Skip the check of the graph for a remote service, because the service answers this request only to its operator.
  const isShared = !remote && health.backend.graph.startsWith('FalkorDB');
  const id = randomUUID();
  const outcomes = [
    areWell,
    !isShared || (await check('graph', () => graphNodes(memory))),
    await check('store', () => storeProbe(memory, id)),
    await check('recall', () => recallProbe(memory, id)),
    await check('vectors', () => describeVectorSearch(memory, id)),
    await check('delete', () => deleteProbe(memory, id)),
  ];
  return outcomes.every(Boolean);
}

/** @throws MemoryError `unavailable` if the service is degraded */
function describeStores({ reasons = [], backend, falkordb, qdrant, memory_count }: HealthAnswer): string {
  const text =
    `graph: ${backend.graph} (${falkordb}), vectors: ${backend.vectors} (${qdrant}), ` +
    `embeddings: ${backend.embedding}, because ${backend.embedding_reason}, memories: ${memory_count ?? 'unknown'}`;
  if (reasons.length > 0) throw new MemoryError('unavailable', `${text}. ${reasons.join(' ')}`);
  return isStandIn(backend) ? `${text}. To find memories by meaning too, follow docs/embeddings.md` : text;
}

/** Whether hash embeddings were chosen only because nothing better works. */
function isStandIn({ embedding, embedding_reason }: HealthAnswer['backend']): boolean {
  return embedding.startsWith('hash') && !embedding_reason.startsWith('EMBEDDING_PROVIDER');
}

/** @throws MemoryError `unavailable` when some nodes cannot be read */
async function graphNodes(memory: EngraphClient): Promise<string> {
  const {
    adopted_count = 0,
    repaired_count = 0,
    malformed_count = 0,
    malformed_sample = [],
  } = await memory.sync({
    dry_run: true,
  });
  const text = `other programs wrote ${adopted_count} memories and changed ${repaired_count} since the last check`;
  if (malformed_count === 0) return `every node can be read; ${text}`;
  const examples = malformed_sample.map(({ label, id, problem }) => `${label} ${id ?? 'without an id'}: ${problem}`);
  throw new MemoryError(
    'unavailable',
    `nodes that cannot be read: ${malformed_count}, among them ${examples.join('; ')}`,
    {
      hint: 'Repair or delete these nodes in the graph. The other memories are not affected.',
    },
  );
}

async function storeProbe(memory: EngraphClient, id: string): Promise<string> {
  await memory.removeByTag([PROBE_TAG]);
  const probe = { id, content: probeText(id), type: 'Context' as const, importance: 0, tags: [PROBE_TAG] };
  return `a probe was stored in ${(await memory.store(probe)).query_time_ms} ms`;
}

async function recallProbe(memory: EngraphClient, id: string): Promise<string> {
  return `the probe was found in ${(await findProbe(memory, id)).query_time_ms} ms`;
}

/**
 * Reports a missing vector search without failing, because recall still works by keyword. If the configured model does
 * not work, the check fails.
 */
async function describeVectorSearch(memory: EngraphClient, id: string): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += VECTOR_POLL_MS) {
    const { results, vector_search } = await findProbe(memory, id);
    if (results.some(({ explanation }) => explanation?.found_by.includes('vector'))) {
      return 'vector search finds the probe';
    }
    const { backend, embedding } = await memory.health();
    if (backend.embedding_error !== undefined) throw new MemoryError('unavailable', backend.embedding_error);
    const isWaiting = embedding !== undefined && embedding.pending > 0;
    if (isWaiting && waitedMs < VECTOR_DEADLINE_MS) await delay(VECTOR_POLL_MS);
    else if (!vector_search.enabled) return 'vector search is not available: recall uses keywords only';
    else if (isWaiting) return 'vectors are still being made';
    else return 'vector search does not find the probe: recall uses keywords only';
  }
}

async function findProbe(memory: EngraphClient, id: string) {
  const answer = await memory.recall({
    query: probeText(id),
    limit: 1,
    tags: [PROBE_TAG],
    tag_match: 'exact',
    explain: true,
  });
  if (answer.results.some(({ id: found }) => found === id)) return answer;
  throw new MemoryError('internal', 'the probe was stored but recall does not find it');
}

async function deleteProbe(memory: EngraphClient, id: string): Promise<string> {
  await memory.remove(id);
  const isGone = await memory.get(id).then(
    () => false,
    (error: unknown) => error instanceof EngraphError && error.status === 404,
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
    const hint = hintOf(error);
    say(`  FAILS  ${name.padEnd(8)} ${messageOf(error)}${hint === undefined ? '' : `. ${hint}`}`);
    return false;
  }
}

function hintOf(error: unknown): string | undefined {
  if (error instanceof EngraphError) return error.details;
  return error instanceof MemoryError ? error.hint : undefined;
}
