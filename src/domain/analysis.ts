/**
 * The analysis of the stored memories. Hours, entities and confidences are computed from samples. Null means that a
 * value could not be determined.
 */
import type { MemoryType } from './memory-type.js';

export interface Analysis {
  /** Counts every memory under its type. */
  types: TypeFigures[] | null;
  patterns: PatternFigures[] | null;
  preferences: Preference[] | null;
  hours: HourFigures[] | null;
  entities: EntityCount[] | null;
  confidences: ConfidenceCounts | null;
}

/** Figures of all memories of one type. In an analysis, the most frequent types come first. */
export interface TypeFigures {
  type: MemoryType;
  count: number;
  averageConfidence: number;
}

/** A pattern with high confidence. In an analysis, the most confident patterns come first. */
export interface PatternFigures {
  type: string;
  description: string;
  /** 0..1 */
  confidence: number;
  /** Number of memories that show the pattern. */
  observations: number;
}

/** A PREFERS_OVER edge, with the contents of its two memories. The strongest edges come first. */
export interface Preference {
  prefers: string;
  over: string;
  /** Null when the edge names no context. */
  context: string | null;
  /** 0..1 */
  strength: number;
}

/** Memories whose time lies in one hour of the day in UTC, 0 to 23. Earlier hours come first. */
export interface HourFigures {
  hour: number;
  count: number;
  averageImportance: number;
}

/** Number of memories that name an entity. In a list of counts, the most frequent entity is first. */
export interface EntityCount {
  name: string;
  count: number;
}

/** Number of memories with a low, medium or high confidence of their type. */
export interface ConfidenceCounts {
  low: number;
  medium: number;
  high: number;
}
