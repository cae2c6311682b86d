/** Exports everything that `tests/bench/golden.mjs` needs, so that the script can load one bundle. */

export { createManualClock } from '../support/manual-clock.js';
export { BURST_QUERIES } from './burst-queries.js';
export { CROWD } from './crowd.js';
export { DIFFERING_PAIRS } from './differing-pairs.js';
export { GAP_QUERIES, UNANSWERABLE_GAP_QUERIES } from './gap-queries.js';
export { measurePairs } from './measure-pairs.js';
export { areaUnderCurve, countLevels, countWithoutEvidence, measureRanking } from './measure-ranking.js';
export { MEMORIES } from './memories.js';
export { memoriesOf } from './memory-pair.js';
export { ANSWERABLE_QUERIES, UNANSWERABLE_QUERIES } from './queries.js';
export { RELATED_PAIRS } from './related-pairs.js';
export { createNames, edgesOf, inputsOf } from './stored-memories.js';
