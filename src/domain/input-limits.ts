/** The bounds that configuration puts on what callers send. */
import type { TagLimits } from './bounds.js';
import type { MetadataLimits } from './metadata.js';

export interface InputLimits {
  /** Length of every embedding. */
  vectorSize: number;
  /** In Unicode code points. */
  contentMaxLength: number;
  /** Memories in one batch. */
  batchMaxSize: number;
  /** Largest `limit` of a recall; larger ones are clamped. */
  recallMaxLimit: number;
  /** Of a question and of the context that a recall states, in Unicode code points. */
  recallTextMaxLength: number;
  metadata: MetadataLimits;
  /** Of one memory. */
  tags: TagLimits;
}
