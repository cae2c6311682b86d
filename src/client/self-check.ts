/** Checks a memory as an assistant would use it: stores, recalls and deletes a probe. */
import type { HealthAnswer } from '../api/health.js';

import { type EngraphClient, randomId } from '../api/routes.js';

/** The tag of probes. By this tag the next check deletes a probe that an interrupted check left behind. */
const PROBE_TAG = 'engraph-doctor-probe';
/** More than the soft limit of contents, in characters. */
const LONG_PROBE_LENGTH = 1_000;
const VECTOR_DEADLINE_MS = 10_000;
const VECTOR_POLL_MS = 100;
/** What the service reports about a question that waited too long for its vector. */
const NO_VECTOR_IN_TIME = /got no vector within/;
/** A process that stays, such as an assistant's server, completes the download. */
const ARRIVING = /^The local model \S+ is being (?:looked for|downloaded)/;

export type CheckName = 'stores' | 'store' | 'recall' | 'vectors' | 'delete';

/** One part of the check. */
export interface Check {
  name: CheckName;
  /**
   * Resolves with a sentence about the working part.
   *
   * @throws Error with a sentence about the problem; EngraphError if the service refuses the request
   */
  run(): Promise<string>;
}

/** Reports that the service answered, but that a part of it does not work. */
export class CheckFailure extends Error {
  override readonly name: string = 'CheckFailure';
}

/** Reports that a part did not do its work in time. It may be slow, and need not be broken. */
export class LateFailure extends CheckFailure {
  override readonly name = 'LateFailure';
}

/** Asks the service for the state of its stores. */
export function storesCheck(client: Pick<EngraphClient, 'health'>): Check {
  return { name: 'stores', run: async () => describeStores(await client.health()) };
}

/** The checks that store, find and delete a probe, in the order in which they must run. */
export function probeChecks(client: EngraphClient): Check[] {
  const id = randomId();
  return [
    { name: 'store', run: () => storeProbe(client, id) },
    { name: 'recall', run: () => recallProbe(client, id) },
    { name: 'vectors', run: () => describeVectorSearch(client, id) },
    { name: 'delete', run: () => deleteProbe(client, id) },
  ];
}

/** @throws CheckFailure if the service is degraded */
export function describeStores({ reasons = [], backend, falkordb, qdrant, memory_count }: HealthAnswer): string {
  const text =
    `graph: ${backend.graph} (${falkordb}), vectors: ${backend.vectors} (${qdrant}), ` +
    `embeddings: ${backend.embedding}, because ${backend.embedding_reason}, memories: ${memory_count ?? 'unknown'}`;
  if (reasons.length > 0) throw new CheckFailure(`${text}. ${reasons.join(' ')}`);
  return isStandIn(backend) ? `${text}. To find memories by meaning too, follow docs/embeddings.md` : text;
}

/** Whether hash embeddings were chosen only because nothing better works. */
function isStandIn({ embedding, embedding_reason }: HealthAnswer['backend']): boolean {
  return embedding.startsWith('hash') && !embedding_reason.startsWith('EMBEDDING_PROVIDER');
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
  const startedMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startedMs;
    const { results, vector_search } = await findProbe(memory, id);
    if (results.some(({ explanation }) => explanation?.found_by.includes('vector'))) {
      return 'vector search finds the probe';
    }
    const { backend, embedding } = await memory.health();
    const problem = backend.embedding_error;
    // The first question waits for a model that is still being loaded, and the next question may get its vector.
    const isLate = problem !== undefined && NO_VECTOR_IN_TIME.test(problem);
    if (problem !== undefined && ARRIVING.test(problem))
      return `${problem}. Until it is complete, recall uses keywords only`;
    if (problem !== undefined && !isLate) throw new CheckFailure(problem);
    if (isLate && waitedMs >= VECTOR_DEADLINE_MS) throw new LateFailure(problem);
    const isWaiting = isLate || (embedding !== undefined && embedding.pending > 0);
    if (isWaiting && waitedMs < VECTOR_DEADLINE_MS) await new Promise(resolve => setTimeout(resolve, VECTOR_POLL_MS));
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
  throw new CheckFailure('the probe was stored but recall does not find it');
}

/**
 * Stores a probe that is long enough to be shortened, because a language model is not asked otherwise, and deletes it.
 *
 * @throws CheckFailure if the language model fails
 */
export async function askLanguageModel(memory: EngraphClient): Promise<string> {
  const id = randomId();
  const content = `${probeText(id)}. `.repeat(Math.ceil(LONG_PROBE_LENGTH / probeText(id).length));
  const before = (await memory.workStatus()).language_model;
  await memory.store({ id, content, type: 'Context', importance: 0, tags: [PROBE_TAG] });
  await memory.remove(id);
  const { language_model: language } = await memory.health();
  if (language?.reason !== undefined) throw new CheckFailure(language.reason);
  const after = (await memory.workStatus()).language_model;
  return before?.requests === after?.requests
    ? `${language?.model} was not asked, because contents are not shortened`
    : `${language?.model} answers`;
}

async function deleteProbe(memory: EngraphClient, id: string): Promise<string> {
  await memory.remove(id);
  const { memories } = await memory.listByTag({ tags: [PROBE_TAG] });
  if (memories.some(memory => memory.id === id))
    throw new CheckFailure('the probe is still there after it was deleted');
  return 'the probe was deleted and is gone';
}

function probeText(id: string): string {
  return `Engraph doctor probe ${id}`;
}
