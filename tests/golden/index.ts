/** Exports everything that `tests/bench/golden.mjs` needs, so that the script can load one bundle. */

export { createManualClock } from '../support/manual-clock.js';
export { measurePairs } from './measure-pairs.js';
export { areaUnderCurve, countLevels, countWithoutEvidence, measureRanking } from './measure-ranking.js';
export { CROWD, MEMORIES } from './memories.js';
export { DIFFERING_PAIRS, memoriesOf, RELATED_PAIRS } from './memory-pair.js';
export {
  ANSWERABLE_QUERIES,
  BURST_QUERIES,
  GAP_QUERIES,
  UNANSWERABLE_GAP_QUERIES,
  UNANSWERABLE_QUERIES,
} from './queries.js';
export { createNames, edgesOf, inputsOf } from './stored-memories.js';
