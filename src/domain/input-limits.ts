/** The bounds on input. */
import type { TagLimits } from './bounds.js';
import type { MetadataLimits } from './metadata.js';

export interface InputLimits {
  /** Number of dimensions of every embedding. */
  vectorSize: number;
  /** Maximum length of the content of a memory, in Unicode code points. */
  contentMaxLength: number;
  /** Maximum number of memories in one batch. */
  batchMaxSize: number;
  /** Maximum `limit` of a recall. Larger values are reduced to this maximum. */
  recallMaxLimit: number;
  /** Maximum length of a query and of the context of a recall, in Unicode code points. */
  recallTextMaxLength: number;
  metadata: MetadataLimits;
  /** Bounds for one memory. */
  tags: TagLimits;
}

/** The bounds that are not settings. */
export const INPUT_LIMITS = {
  contentMaxLength: 50_000,
  batchMaxSize: 500,
  recallTextMaxLength: 20_000,
  metadata: { maxBytes: 65_536, maxKeys: 1000, maxDepth: 16 },
  tags: { maxCount: 100, maxLength: 256, maxLevels: 16 },
};
