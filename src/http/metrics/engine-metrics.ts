/** Exports the statistics of the engine as metrics. An unknown value has no sample, because 0 would be wrong. */
import { Counter, Gauge, Registry } from 'prom-client';
import {
  DURATION_BOUNDS_MS,
  type DurationCounts,
  type RecallStatistics,
  type Statistics,
} from '../../domain/reports.js';

type Labels = Record<string, string>;
/** A value with its labels. */
type Sample = readonly [value: number | boolean | null | undefined, labels?: Labels];
type Definition = readonly [name: string, help: string, samples: readonly Sample[]];

/** Renders the text format of Prometheus. */
export async function engineMetrics(statistics: Statistics): Promise<string> {
  const registry = new Registry();
  for (const definition of gauges(statistics).filter(isKnown)) addGauge(registry, definition);
  for (const definition of counters(statistics).filter(isKnown)) addCounter(registry, definition);
  return `${await registry.metrics()}\n${recallDurations(statistics.recalls)}`;
}

function gauges({ work, stores, memoryCount, vectorCount, drift, freeDiskBytes }: Statistics): Definition[] {
  const { graph, vectors } = stores;
  const ofWork = (read: (progress: NonNullable<Statistics['work']['embed']>) => number): Sample[] =>
    Object.entries(work).map(([kind, progress]) => [progress && read(progress), { kind }]);
  const ofStores = (name: 'isUp' | 'isCircuitOpen'): Sample[] => [
    [graph[name], { store: 'graph' }],
    [vectors[name], { store: 'vectors' }],
  ];
  return [
    [
      'engraph_queue_depth',
      'Memories waiting for background work, including work that waits for its next attempt.',
      ofWork(({ pending }) => pending),
    ],
    ['engraph_queue_in_flight', 'Memories whose background work is in progress.', ofWork(({ inFlight }) => inFlight)],
    ['engraph_queue_failed', 'Memories whose background work was given up.', ofWork(({ failed }) => failed)],
    [
      'engraph_queue_oldest_due_age_seconds',
      'The oldest due work has waited at most this many seconds. 0 while no work is due.',
      ofWork(({ behindMs }) => behindMs / 1000),
    ],
    ['engraph_store_up', 'Whether the store answers: 1 or 0.', ofStores('isUp')],
    [
      'engraph_store_circuit_open',
      'Whether the circuit breaker refuses calls to the store: 1 or 0.',
      ofStores('isCircuitOpen'),
    ],
    ['engraph_memories', 'Stored memories.', [[memoryCount]]],
    ['engraph_vectors', 'Stored vectors.', [[vectorCount]]],
    [
      'engraph_memories_without_vector',
      'Memories without a vector and without work that will make one, at the last comparison of the stores.',
      [[drift?.missingCount]],
    ],
    [
      'engraph_vectors_without_memory',
      'Vectors without a memory, at the last comparison of the stores.',
      [[drift?.orphanedCount]],
    ],
    ['engraph_disk_free_bytes', 'Free bytes on the disk of the data folder.', [[freeDiskBytes]]],
  ];
}

function counters({ recalls, stores, embedding, languageModel }: Statistics): Definition[] {
  const ofModel = (usage: { model: string } | undefined, value: number | undefined): Sample[] =>
    usage ? [[value, { model: usage.model }]] : [];
  return [
    [
      'engraph_recalls_total',
      'Answered recalls, by the confidence in their best results.',
      Object.entries(recalls.byConfidence).map(([confidence, count]) => [count, { confidence }]),
    ],
    [
      'engraph_store_failures_total',
      'Calls to a store that failed because the store was unavailable.',
      Object.entries(stores).map(([store, { failures }]) => [failures, { store }]),
    ],
    ['engraph_embedding_calls_total', 'Calls of the embedding model.', ofModel(embedding, embedding.calls)],
    [
      'engraph_embedding_texts_total',
      'Texts sent to the embedding model, including those in failed calls.',
      ofModel(embedding, embedding.texts),
    ],
    [
      'engraph_embedding_failures_total',
      'Calls of the embedding model that failed.',
      ofModel(embedding, embedding.failures),
    ],
    [
      'engraph_language_model_requests_total',
      'Questions to the language model.',
      ofModel(languageModel, languageModel?.requests),
    ],
    [
      'engraph_language_model_failures_total',
      'Questions that the language model did not answer, or answered in an unusable form.',
      ofModel(languageModel, languageModel?.failures),
    ],
    [
      'engraph_language_model_input_tokens_total',
      'Input tokens of the language model, as counted by its provider.',
      ofModel(languageModel, languageModel?.inputTokens),
    ],
    [
      'engraph_language_model_output_tokens_total',
      'Output tokens of the language model, as counted by its provider.',
      ofModel(languageModel, languageModel?.outputTokens),
    ],
  ];
}

function recallDurations({ durations }: RecallStatistics): string {
  return durationText(
    'engraph_recall_duration_seconds',
    'Duration of a recall in the engine, including the wait in the queue.',
    durations,
  );
}

function addGauge(registry: Registry, [name, help, samples]: Definition): void {
  const gauge = new Gauge({ name, help, labelNames: labelNames(samples), registers: [registry] });
  for (const [labels, value] of known(samples)) gauge.set(labels, value);
}

function addCounter(registry: Registry, [name, help, samples]: Definition): void {
  const counter = new Counter({ name, help, labelNames: labelNames(samples), registers: [registry] });
  for (const [labels, value] of known(samples)) counter.inc(labels, value);
}

/** Whether a metric has a known sample. prom-client would show a metric without samples as 0. */
function isKnown([, , samples]: Definition): boolean {
  return known(samples).length > 0;
}

function known(samples: readonly Sample[]): [Labels, number][] {
  return samples.flatMap(([value, labels = {}]) => (value == null ? [] : [[labels, Number(value)]]));
}

function labelNames(samples: readonly Sample[]): string[] {
  return Object.keys(samples[0]?.[1] ?? {});
}

/** @param name ends in `_seconds` */
export function durationText(name: string, help: string, { counts, total, sumMs }: DurationCounts): string {
  let soFar = 0;
  const buckets = DURATION_BOUNDS_MS.map((boundMs, index) => {
    soFar += counts[index] ?? 0;
    return `${name}_bucket{le="${boundMs / 1000}"} ${soFar}`;
  });
  const lines = [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_bucket{le="+Inf"} ${total}`,
    `${name}_sum ${sumMs / 1000}`,
    `${name}_count ${total}`,
  ];
  return `${lines.join('\n')}\n`;
}
