/** The interface of tasks. A planner reads the stores and finds the changes. Only the run writes the changes. */
import type { Change } from '../domain/consolidation.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import type { DatedText } from '../language-model/language-model.js';
import type { Judge } from '../replacement/judge.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';

/** @returns the common subject of the texts in one or two sentences; undefined if the model gave no answer */
export type WordGroup = (texts: readonly DatedText[], targetLength: number) => Promise<string | undefined>;

export interface PlanContext {
  graph: Pick<
    GraphStore,
    | 'readRecords'
    | 'getMemories'
    | 'searchText'
    | 'countMemories'
    | 'relationsOf'
    | 'countRelations'
    | 'readNodes'
    | 'getNode'
  >;
  vectors: Pick<VectorStore, 'vectorsOf' | 'search'>;
  /** Models whose vectors are compared. */
  models: readonly string[];
  /** Decides which memories may replace each other. */
  judge: Judge;
  settings: ConsolidationSettings;
  /** The present time, which stays the same for the whole run. */
  nowMs: number;
  runId: string;
  /** Returns a number from 0 up to but not including 1, like Math.random. */
  random(): number;
  /** Absent if no language model may be asked. */
  wordGroup: WordGroup | undefined;
  /**
   * Called at least once for each page: yields to other requests, renews the lease, and rejects when the run must end.
   */
  onPage(): Promise<void>;
}

/** A part of the changes that a task would make. */
export interface PlannedPage {
  changes: readonly Change[];
  /**
   * The number that this page adds to the count in the report of the task. A page of summaries counts all its groups,
   * including groups whose summary does not change.
   */
  count: number;
}

/**
 * Plans a task. Each page contains at most a few hundred changes. A memory may still be waiting for its vector, so a
 * planner must not conclude anything from a missing vector.
 */
export type Planner = (context: PlanContext) => AsyncIterable<PlannedPage>;
