/**
 * What the words of a text say about its type. The cues are AutoMem's, without those that say nothing ("when" as Context,
 * "responded to" as Style), and with the forms that people use beside them.
 */
import type { MemoryType } from '../../domain/memory-type.js';

/** In the order that decides between types with as many cues. */
const CUES: readonly (readonly [MemoryType, readonly RegExp[]])[] = [
  [
    'Decision',
    [
      /\bdecided (?:to|on|that|against|not to|we|it)\b/,
      /\b(?:the|our|final|my) decision\b|\bdecision (?:was|is|to|made)\b|^decision\b/,
      /\bchose\b|\b(?:have|has|had|were?|was) chosen\b|\bchoosing\b/,
      /\b(?:going|went|go) with\b(?! (?:her|him|them|me|us|you|it)\b)/,
      /\bpicked (?!up\b|out\b|on\b|apart\b)/,
      /\b(?:i|we|they|he|she|team) (?:have |has )?selected\b/,
      /\bwill (?:use|adopt|switch to|migrate to|move to|drop|stop using)\b/,
      /\bopted (?:for|to|out)\b|\bsettled on\b|\bagreed (?:to|on|that)\b|\bcommitted to\b/,
    ],
  ],
  [
    'Pattern',
    [
      /\b(?:usually|typically|often|frequently|consistently|repeatedly|commonly)\b/,
      /\btends? to\b|\btended to\b/,
      /\bregularly\b/,
      /\bpatterns? (?:i|we) (?:have )?(?:noticed|seen|observed)\b|\b(?:recurring|common|same) (?:pattern|problem|issue|theme)\b/,
      /\b(?:keeps?|kept) (?:\w+ing)\b/,
      /\bmost of the time\b|\bin most cases\b/,
    ],
  ],
  [
    'Preference',
    [
      /\bprefer(?:s|red|ence|ences)?\b/,
      /\b(?:like|love|enjoy)(?:s|d)?\b[^.]{1,60}\b(?:better|more than|the most|best)\b/,
      /\bfavou?rites?\b|\bfavou?rs?\b/,
      /\balways uses?\b/,
      /\b(?:use|uses|using|want|wants|choose|chooses|write|writes)\b[^.]{1,60}\b(?:rather than|instead of|over)\b/,
      /\bwould rather\b|\bnot a fan of\b|\b(?:is|am|are|i'm) (?:a )?(?:big )?fan of\b/,
      /\b(?:dislikes?|hates?|can't stand|cannot stand|doesn't like|does not like|don't like)\b/,
    ],
  ],
  [
    'Style',
    [
      /\b(?:wrote|writes?|written|writing)\b[^.]{0,60}\b(?:style|tone|voice)\b/,
      /\b(?:formal|informal|casual|concise|terse|friendly|conversational|academic|playful|neutral|polite) (?:style|tone|voice|language|prose)\b/,
      /\b(?:formatted|formats?|expressed|phrased|worded) as\b/,
      /\busing (?:an? )?[\w-]+ tone\b|\btone of voice\b/,
      /\bcommunicat(?:es|ed) (?:in|with|by|through|via)\b/,
      /\b(?:coding|code|writing|naming|commit message|communication) style\b/,
    ],
  ],
  [
    'Habit',
    [
      /\balways (?!uses?\b)/,
      /\bevery time\b|\b(?:each|every) (?:day|morning|evening|night|week|month|year|weekend|\w+day)\b/,
      /\bhabit(?:s|ual|ually)?\b|\broutine(?:s|ly)?\b/,
      /\b(?:daily|weekly|monthly|nightly)\b/,
      /\bbefore (?:bed|work|breakfast|each|every|any)\b/,
    ],
  ],
  [
    'Insight',
    [
      /\breali[sz](?:ed|ing)\b/,
      /\bdiscovered\b|\bfound out\b|\bturn(?:s|ed) out\b/,
      /\blearn(?:ed|t) (?:that|how|from|about|the hard way)\b|\blessons? learn(?:ed|t)?\b|\blesson\b/,
      /\bunderstood\b|\bfigured out\b/,
      /\binsights?\b|\brevelation\b|\bkey takeaway\b/,
      /\broot cause\b|\bthe (?:reason|cause|culprit|bug|problem|issue) (?:was|is)\b/,
    ],
  ],
  [
    'Context',
    [
      /\bduring\b/,
      /\bwhile working on\b|\bin the context of\b/,
      /\bat the time\b|\bat that time\b/,
      /\b(?:the )?situation (?:was|is)\b|\bbackground:/,
      /\b(?:is|are|was|were|am|i'm|we're) (?:currently |now |still )?working (?:on|at|for|with)\b/,
    ],
  ],
];

/** AutoMem's: one cue is a hint, two are a case. */
const ONE_CUE_CONFIDENCE = 0.6;
const CONFIDENCE_PER_CUE = 0.1;
const CONFIDENCE_MAX = 0.95;

/** @returns undefined when no word gives a hint */
export function classifyByPatterns(content: string): { type: MemoryType; confidence: number } | undefined {
  const text = content.toLowerCase().replaceAll('’', "'");
  let best: { type: MemoryType; cues: number } | undefined;
  for (const [type, patterns] of CUES) {
    const cues = patterns.filter(pattern => pattern.test(text)).length;
    if (cues > (best?.cues ?? 0)) best = { type, cues };
  }
  return best && { type: best.type, confidence: confidenceOf(best.cues) };
}

/** 0.6 for one cue, 0.8 for two, then 0.1 for each more, up to 0.95. */
function confidenceOf(cues: number): number {
  if (cues === 1) return ONE_CUE_CONFIDENCE;
  return Math.min(CONFIDENCE_MAX, ONE_CUE_CONFIDENCE + CONFIDENCE_PER_CUE * cues);
}
