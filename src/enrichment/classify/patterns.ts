/** Classifies a text by its words. */
import type { MemoryType } from '../../domain/memory-type.js';
import { CUES } from './cues.js';

/** The confidences are those of AutoMem: low for one cue, which is a weak hint, and higher from two cues on. */
const ONE_CUE_CONFIDENCE = 0.6;
const CONFIDENCE_PER_CUE = 0.1;
const CONFIDENCE_MAX = 0.95;
/** Maximum length that is read. The beginning of a text shows its type, and a new memory waits for this step. */
const ANALYSED_LENGTH = 5_000;

/** Reads the first 5,000 characters. @returns undefined when the text has no cue */
export function classifyByPatterns(content: string): { type: MemoryType; confidence: number } | undefined {
  const text = content.slice(0, ANALYSED_LENGTH).toLowerCase().replaceAll('’', "'");
  let best: { type: MemoryType; cues: number } | undefined;
  for (const [type, patterns] of CUES) {
    const cues = patterns.filter(pattern => pattern.test(text)).length;
    if (cues > (best?.cues ?? 0)) best = { type, cues };
  }
  return best && { type: best.type, confidence: confidenceOf(best.cues) };
}

/** Returns 0.6 for one cue and 0.8 for two cues. Each further cue adds 0.1, up to 0.95. */
function confidenceOf(cues: number): number {
  if (cues === 1) return ONE_CUE_CONFIDENCE;
  return Math.min(CONFIDENCE_MAX, ONE_CUE_CONFIDENCE + CONFIDENCE_PER_CUE * cues);
}
