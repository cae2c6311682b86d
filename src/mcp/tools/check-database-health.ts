/**
 * The tool `check_database_health`: reports the health of the memory in words. The call succeeds even when the memory
 * is unhealthy.
 */
import { z } from 'zod';
import type { HealthAnswer } from '../../api/health.js';
import { readObject } from '../../api/input.js';
import type { EngraphClient } from '../../client/client.js';
import { MemoryError } from '../../domain/errors.js';
import type { Tool } from '../handlers.js';

const input = z.strictObject({});

/** The fields that most callers need. The other fields of `GET /health` are passed through. */
const output = z.looseObject({
  status: z.enum(['healthy', 'degraded', 'unreachable']),
  message: z.string(),
  hint: z.string().optional(),
  reasons: z.array(z.string()).optional(),
  falkordb: z.string().optional(),
  qdrant: z.string().optional(),
  // No type, because some hosts refuse a schema with alternatives.
  memory_count: z.unknown().optional().describe('null when unknown'),
  vector_count: z.unknown().optional().describe('null when unknown'),
  sync_status: z.string().optional(),
});

export const checkDatabaseHealth: Tool = {
  name: 'check_database_health',
  title: 'Check database health',
  description:
    'Report whether the memory is healthy or degraded and why, its size, stores and embedding model, and the work that ' +
    'waits. Call it when storing or recalling fails, or when the user asks.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  alwaysLoad: false,
  input,
  output,
  async run(args, { memory }) {
    readObject(input, args, 'The arguments');
    const health = await healthOf(memory);
    return 'falkordb' in health ? present(health) : presentUnreachable(health);
  },
};

interface Unreachable {
  message: string;
  hint: string | undefined;
}

async function healthOf(memory: EngraphClient): Promise<HealthAnswer | Unreachable> {
  try {
    const [health, refusal] = await Promise.all([memory.health(), refusalOf(memory)]);
    if (refusal) throw refusal;
    return health;
  } catch (error) {
    if (error instanceof MemoryError) return { message: error.message, hint: error.hint };
    throw error;
  }
}

/**
 * Returns the error if the service refuses the token. `GET /health` needs no token, so this request, which needs a
 * token, shows whether other calls can succeed.
 */
async function refusalOf(memory: EngraphClient): Promise<MemoryError | undefined> {
  try {
    await memory.workStatus();
    return undefined;
  } catch (error) {
    return error instanceof MemoryError && error.code === 'unauthorized' ? error : undefined;
  }
}

const RESTART =
  'Restart the Engraph process that serves this memory, or the service at ENGRAPH_URL; `engraph doctor` explains more.';

function presentUnreachable({ message, hint = RESTART }: Unreachable) {
  const lines = ['Memory: unreachable', message, hint];
  return { text: lines.join('\n'), structured: { status: 'unreachable', message, hint } };
}

function present(health: HealthAnswer) {
  const { status, reasons = [] } = health;
  const message = `Memory: ${status}`;
  const lines = [
    message,
    ...reasons.map(reason => `- ${reason}`),
    `Memories: ${health.memory_count ?? 'unknown'}; vectors: ${health.vector_count ?? 'unknown'} (${inWords(health.sync_status)})`,
    `Graph store: ${health.falkordb}, ${health.backend.graph}`,
    `Vector store: ${health.qdrant}, ${health.backend.vectors}`,
    `Embedding model: ${health.backend.embedding} (${health.backend.embedding_reason})`,
    ...(health.backend.embedding_error === undefined ? [] : [`Embedding fails: ${health.backend.embedding_error}`]),
    ...mismatchOf(health),
    ...languageModelOf(health),
    `Waiting to be embedded: ${work(health.embedding)}`,
    `Waiting to be enriched: ${work(health.enrichment)}`,
    ...consolidationOf(health),
  ];
  return { text: lines.join('\n'), structured: { ...health, message } };
}

function mismatchOf({ vector_dimensions: { configured, effective, collection, mismatch } }: HealthAnswer): string[] {
  if (!mismatch) return [];
  const lengths = [
    `VECTOR_SIZE is ${configured}`,
    ...(effective === null ? [] : [`the model returns ${effective}`]),
    ...(collection === null ? [] : [`the store has ${collection}`]),
  ].join(', ');
  return [`Vectors cannot be stored because their lengths differ: ${lengths}`];
}

function languageModelOf({ language_model: language }: HealthAnswer): string[] {
  if (!language) return [];
  const failure = language.reason === undefined ? [] : [`Language model fails: ${language.reason}`];
  return [`Language model: ${language.model}`, ...failure];
}

function consolidationOf({ consolidation: { problems = [], proposals } }: HealthAnswer): string[] {
  const waiting = `Proposals of consolidation that wait for an answer: ${proposals ?? 'unknown'}`;
  return [waiting, ...problems.map(problem => `- ${problem}`)];
}

function inWords(status: HealthAnswer['sync_status']): string {
  return status.replaceAll('_', ' ');
}

interface Work {
  pending: number;
  inflight?: number;
  failed: number;
  behind_seconds: number;
}

function work({ pending, inflight = 0, failed, behind_seconds: behind }: Work): string {
  const waiting = pending + inflight;
  const since = behind > 0 ? `, the oldest for ${behind} s` : '';
  return `${waiting}${since}${failed > 0 ? `; ${failed} given up` : ''}`;
}
