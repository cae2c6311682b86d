/** The planted corpus and its measurements, for scripts that run on a build. */
export { DIFFERING_PAIRS } from '../golden/differing-pairs.js';
export { RELATED_PAIRS } from '../golden/related-pairs.js';
export { createManualClock } from '../support/manual-clock.js';
export { keyOf, linksIn, measureGroups, measureLinks, measureProposals, proposalsIn } from './measure.js';
export { plantedCorpus } from './planted-corpus.js';
