/** What all the memories look like together. Null stands for what could not be found out. */
import type { MemoryType } from './memory-type.js';

export interface Analysis {
  /** Every memory counts. */
  types: TypeFigures[] | null;
  patterns: PatternFigures[] | null;
  preferences: Preference[] | null;
  hours: HourFigures[] | null;
  entities: EntityCount[] | null;
  confidences: ConfidenceCounts | null;
}

/** Of all memories of one type; most frequent types first. */
export interface TypeFigures {
  type: MemoryType;
  count: number;
  averageConfidence: number;
}

/** A pattern that is nearly certain; the surest first. */
export interface PatternFigures {
  type: string;
  description: string;
  /** 0..1 */
  confidence: number;
  /** How many memories show it. */
  observations: number;
}

/** An edge PREFERS_OVER between two contents; the strongest first. */
export interface Preference {
  prefers: string;
  over: string;
  /** Null where the edge names none. */
  context: string | null;
  /** 0..1 */
  strength: number;
}

/** Of the memories whose time is in one hour of the day in UTC, 0 to 23; earlier hours first. */
export interface HourFigures {
  hour: number;
  count: number;
  averageImportance: number;
}

/** How many memories name an entity; most frequent ones first. */
export interface EntityCount {
  name: string;
  count: number;
}

/** How sure the types of memories are. */
export interface ConfidenceCounts {
  low: number;
  medium: number;
  high: number;
}
