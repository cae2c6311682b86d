/** Exports the planted corpus and its measurements to scripts that measure the build. */
export { DIFFERING_PAIRS, RELATED_PAIRS } from '../golden/memory-pair.js';
export { createManualClock } from '../support/manual-clock.js';
export { keyOf, linksIn, measureGroups, measureLinks, measureProposals, proposalsIn } from './measure.js';
export { plantedCorpus } from './planted-corpus.js';
