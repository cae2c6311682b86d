/** The answer to how the service is. */
import { z } from 'zod';
import { wholeNumber } from './common.js';

const connection = z.enum(['connected', 'disconnected']);
const behindSeconds = wholeNumber.describe(
  'The longest that the oldest due work can have waited, in seconds; 0 when no work is due',
);

const lastCall = z
  .strictObject({
    at: z.string().describe('ISO 8601 in UTC'),
    age_seconds: wholeNumber.describe('Time since then'),
  })
  .nullable();

const enrichment = z.strictObject({
  status: z.enum(['running', 'stopped']).describe('Whether the worker runs'),
  queue_depth: wholeNumber.describe('pending and inflight together'),
  pending: wholeNumber.describe('Memories that wait'),
  inflight: wholeNumber.describe('Memories being worked on'),
  processed: wholeNumber.describe('Memories enriched since the start'),
  failed: wholeNumber.describe('Memories given up for good'),
  behind_seconds: behindSeconds,
});

const embedding = z
  .strictObject({
    model: z.string().describe('Name of the present model'),
    status: z
      .enum(['healthy', 'degraded'])
      .describe('degraded while embedding fails, such as with a key that is refused'),
    reason: z.string().optional().describe('Why embedding fails; only then'),
    embedded: wholeNumber
      .nullable()
      .describe('Memories that have a vector of it, or one of their own; null when unknown'),
    pending: wholeNumber.describe('Memories that wait or are being worked on'),
    failed: wholeNumber.describe('Memories given up for good'),
    behind_seconds: behindSeconds,
  })
  .describe('How far the vectors of the present model have got');

const storage = z.strictObject({
  last_read: lastCall.describe('The last read of the graph that succeeded; null before the first'),
  last_write: lastCall.describe('The last write of the graph that succeeded; null before the first'),
  failures_last_minute: wholeNumber.describe('Calls of both stores that failed'),
  integrity: z
    .enum(['unchecked', 'checking', 'sound', 'damaged'])
    .describe('Of the database file; it is checked at a start after an end that left it open'),
  disk_free_bytes: wholeNumber.nullable().describe('On the disk of the data folder; null when unknown'),
});

const backend = z
  .strictObject({
    graph: z.string().describe('The graph store'),
    vectors: z.string().describe('The vector store'),
    embedding: z.string().describe('The embedding model'),
    embedding_reason: z.string().describe('Why it is this model'),
    embedding_error: z.string().optional().describe('Only while embedding fails'),
  })
  .describe('Which stores and which model serve, in words');

export const healthAnswer = z.strictObject({
  status: z.enum(['healthy', 'degraded']).describe('degraded is answered with 503'),
  reasons: z.array(z.string()).optional().describe('Why it is degraded, each in a sentence; only then'),
  falkordb: connection.describe('The graph store, whichever it is'),
  qdrant: connection.describe('The vector store, whichever it is'),
  memory_count: wholeNumber.nullable().describe('null when unknown'),
  vector_count: wholeNumber.nullable().describe('null when unknown'),
  sync_status: z
    .enum(['synced', 'drift_detected', 'orphaned_vectors', 'unknown'])
    .describe('drift_detected: memories lack their vector; orphaned_vectors: vectors lack their memory'),
  vector_dimensions: z
    .strictObject({
      configured: wholeNumber.describe('VECTOR_SIZE'),
      effective: wholeNumber
        .nullable()
        .describe('Length of the vectors that the model returned last; null before its first answer'),
      collection: wholeNumber
        .nullable()
        .describe('Length of the vectors that the vector store has; null while it has none or has not been reached'),
      mismatch: z
        .boolean()
        .describe(
          'Whether vectors cannot be stored for their length: effective is not what is expected of the model, or ' +
            'collection is not configured. Shorter vectors of a model are padded with zeros, and fit',
        ),
    })
    .describe('Lengths of vectors'),
  enrichment: enrichment.describe('How far enrichment has got'),
  embedding,
  storage: storage.describe('How the stores fare'),
  consolidation: z
    .strictObject({
      problems: z.array(z.string()).optional().describe('Why a run failed or was stopped; only when one was'),
      proposals: wholeNumber.nullable().describe('Proposals that wait for an answer; null when unknown'),
    })
    .describe('How consolidation fares'),
  backend,
  graph: z.string().describe('Name of the graph'),
  timestamp: z.string().describe('When this was found, ISO 8601 in UTC'),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;
