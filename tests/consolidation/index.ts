/** Exports the planted corpus and its measurements to scripts that measure the build. */
export { DIFFERING_PAIRS } from '../golden/differing-pairs.js';
export { RELATED_PAIRS } from '../golden/related-pairs.js';
export { createManualClock } from '../support/manual-clock.js';
export { keyOf, linksIn, measureGroups, measureLinks, measureProposals, proposalsIn } from './measure.js';
export { plantedCorpus } from './planted-corpus.js';
