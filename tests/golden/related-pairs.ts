/**
 * Pairs of notes about the same subject that are both valid: lists, details, other times, other places, and
 * repetitions.
 */
import { RELATED_DEVELOPMENT_PAIRS } from './related-pairs-development.js';
import { RELATED_HELD_OUT_PAIRS } from './related-pairs-held-out.js';

export const RELATED_PAIRS = [...RELATED_DEVELOPMENT_PAIRS, ...RELATED_HELD_OUT_PAIRS];
