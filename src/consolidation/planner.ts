/** How a task finds out what is to be changed. It only reads; the run writes. */
import type { Change } from '../domain/consolidation.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import type { DatedText } from '../language-model/language-model.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';

/** @returns what the texts have in common, in a sentence or two; undefined where it could not be had */
export type WordGroup = (texts: readonly DatedText[], targetLength: number) => Promise<string | undefined>;

export interface PlanContext {
  graph: Pick<
    GraphStore,
    'readRecords' | 'getMemories' | 'countMemories' | 'relationsOf' | 'countRelations' | 'readNodes' | 'getNode'
  >;
  vectors: Pick<VectorStore, 'vectorsOf' | 'search'>;
  /** Models whose vectors may be compared. */
  models: readonly string[];
  settings: ConsolidationSettings;
  /** One instant for the whole run. */
  nowMs: number;
  runId: string;
  /** 0 up to 1, as Math.random. */
  random(): number;
  /** Absent where no language model is to be asked. */
  wordGroup: WordGroup | undefined;
  /** Called at least once a page: lets others in, prolongs the lease, and rejects when the run is to end. */
  onPage(): Promise<void>;
}

/** A part of what a task would do. */
export interface PlannedPage {
  changes: readonly Change[];
  /** What the task counts of this page: written or not, a group is a group. */
  count: number;
}

/** Pages of a few hundred changes at most. A planner draws no conclusion from a vector that is missing. */
export type Planner = (context: PlanContext) => AsyncIterable<PlannedPage>;
