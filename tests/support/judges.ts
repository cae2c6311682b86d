/** Judges of pairs of memories. */
import { createJudge } from '../../src/replacement/judge.js';

/** The judge for hash embeddings. */
export const BY_WORDS = createJudge({ understandsMeaning: false, unrelatedSimilarity: 0.15 });
/** The judge for a model that understands meaning. */
export const BY_MEANING = createJudge({ understandsMeaning: true, unrelatedSimilarity: 0.05 });
