/**
 * Patterns of words that suggest a type, matched against lower-case text. Each pattern is one cue, even if several words
 * of a text match it. The first patterns of each type come from AutoMem, without those that mean nothing ("when" as
 * Context), with common synonyms, and without other meanings of a word. The last ones, after an empty line, read the
 * structure of notes that an assistant writes about a user: "uses … because …", "Bug: … Fix: …", "Never abbreviate …".
 */
import { READ_LENGTH } from '../../domain/memory.js';
import type { MemoryType } from '../../domain/memory-type.js';

const SOMEBODY = '(?:i|we|they|he|she|you|user|users|team)';
const NO_COMPANY =
  '(?! (?:her|him|them|me|us|you|it|my|his|their|our)\\b)(?! \\S+(?: and \\S+)? to (?:the|a|an|see|visit|get)\\b)';

/** The beginning of a sentence or of a part of it, where notes in telegram style have their verb. */
const START = '(?:^|[.:;!] )';
const FAILURE =
  '\\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed)?|hangs?|hung|br(?:eaks?|oke)|stuck|flaky|slow|twice|leak(?:s|ed)?|deadlock(?:s|ed)?|refused|errors?|bug|time[sd]? ?outs?|wrong|lost|empty|blank)\\b';
const REASON =
  '(?:because\\b|, since\\b|, as\\b|, not (?:in|on|with|through)\\b|to (?:avoid|save|reduce)\\b|; [^.;]{1,40} (?:was|were) (?:considered|discarded|dismissed|rejected|ruled out|turned down)\\b)';
const IN_USE = '(?:uses?|runs? (?:on|in|as)|goes through|(?:is|are) (?:built|written|stored|hosted|kept|done))';

const DECISION = [
  /\bdecided (?:to|on|that|against|not to|we|it)\b/,
  /\b(?:the|our|final|my) decision\b|\bdecision (?:was|is|to|made)\b|^decisions?\b/,
  /\bchose\b|\b(?:have|has|had|were?|was) chosen\b|\bchoosing\b/,
  new RegExp(`\\b(?:going|went|go) with\\b${NO_COMPANY}`),
  /\bpicked (?!up\b|out\b|on\b|apart\b|at\b)/,
  new RegExp(`\\b(?:${SOMEBODY}|was|were) (?:have |has )?selected\\b|(?:^|[.!?:] )selected\\b`),
  /\bwill (?:use|adopt|switch to|migrate to|move to|drop|stop using|keep using|go with)\b/,
  /\bopted (?:for|to|out)\b|\bsettled on\b|\bagreed (?:to|on|that)\b|\bcommitted to (?!the repo|main\b|git\b)/,
  /\bswitch(?:ed|ing) (?:\S+ )?from \S+ to\b|\bswitching to\b|\bin favou?r of\b/,
  /\bruled out\b|\b(?:we|i|they|board|committee) rejected\b|\bfrom now on\b/,
  /\b(?:i am|i'm|we are|we're|he is|she is|they are|they're|team is) going to (?:use|accept|adopt|switch|migrate|drop|buy|hire|build|replace|keep)\b/,

  new RegExp(`\\w ${IN_USE}\\b[^.]{1,80}${REASON}`),
  /\b(?:is|are) (?:built|written|stored|hosted|kept|done)\b[^.]{1,60}\b(?:instead of|rather than)\b/,
  /\b(?:migrated|moved (?!from|to\b)|ported|switched)\b[^.]{0,50}\bfrom (?!\d)[^.]{1,40}\bto\b/,
  new RegExp(
    `${START}(?:adopted|cancell?ed the|dropped support|postponed|rejected|replaced [^.]{1,60} (?:by|with)|standardi[sz]ed on|stopped using|migrated to)\\b`,
  ),
  /\b(?:we|i)(?:'ll| will) (?:keep|skip|stay|stick|stop)\b/,
];

const PATTERN = [
  /\b(?:usually|typically|frequently|consistently|repeatedly|commonly|generally)\b|(?<!\bhow )\boften\b/,
  /\b(?:tends?|tended) to\b/,
  /\bregularly\b/,
  /\bpatterns? (?:i|we) (?:have )?(?:noticed|seen|observed|see)\b|\b(?:recurring|common|same) (?:pattern|problem|issue|theme)\b|\bpattern: /,
  /\b(?:keeps?|kept) (?!going\b|being\b|\w*thing\b)\w+ing\b/,
  /\bmost of the time\b|\bin most cases\b|\bas a rule\b/,
  /\bwhenever (?!possible\b|necessary\b|you (?:like|want|can)\b)|\brecurs?\b/,

  /\b(?:most|half|nearly all) of (?:the|our|my|his|her|their) \w+s\b/,
  /\b(?:doubles?|triples?|spikes?|peaks?|rises?|slows? down|gets (?!a\b|the\b|to\b)\w+)\b[^.]{0,40}\b(?:when|after|before|on \w+days?|at the end of)\b/,
];

const PREFERENCE = [
  /\bprefer(?:s|red|ence|ences)?\b/,
  /\bfavou?rites?\b|(?<!\bin |\ba |\bthe |\bin your )\bfavou?rs?\b(?! of\b)/,
  /\b(?:always|never) uses?\b/,
  /\b(?:uses?|using|wants?|chooses?|writes?|drinks?|eats?|reads?)\b[^.]{1,60}\b(?:rather than|instead of|over)\b/,
  /(?:\bwould|['’]d) rather\b/,
  /\bnot a fan of\b|\b(?:is|am|are|i'm) (?:a )?(?:big |huge )?fan of\b/,
  /\b(?:dislikes?|hates?|can't stand|cannot stand)\b|\b(?:doesn't|does not|don't|do not) (?:really )?(?:like|enjoy|want)\b/,
  /\b(?:likes|loves|enjoys|adores)\b|\b(?:i|we|they) (?:really |also |absolutely )?(?:like|love|enjoy|adore)\b/,
  /\b(?:user|customer|client) (?:\w+ )?wants\b/,

  new RegExp(`${START}(?:wants (?!to\\b)|asks for\\b|(?:keen on|fond of)\\b)`),
  new RegExp(
    `${START}(?:please (?!find\\b|note\\b|see\\b)|(?:do not|don't|never|stop) (?:ask|call|explain|mention|offer|propose|recommend|remind|suggest)(?:ing)?\\b)`,
  ),
];

const STYLE = [
  /\b(?:wrote|writes?|written|writing)\b[^.]{0,60}\b(?:style|tone|voice|mood)\b/,
  /\b(?:formal|informal|casual|concise|terse|friendly|conversational|academic|playful|neutral|polite) (?:style|tone|voice|language|prose)\b/,
  /\bformatted (?:as|with|in|using)\b|\b(?:expressed|phrased|worded) (?:as|in)\b/,
  /\busing (?:an? )?[\w-]+ tone\b|\btone of voice\b|\bin tone\b|\btone (?:is|should)\b/,
  /\bcommunicat(?:es|ed) (?:in|with|by|through|via)\b/,
  /\b(?:coding|code|writing|naming|message|communication) (?:style|conventions?)\b/,
  /\b(?:imperative mood|bullet points|short sentences|plain language)\b/,

  new RegExp(`${START}(?:always|never) (?!(?:a|an|the|been|had|uses?)\\b)\\w+(?<!ed|ing|[^s]s)\\b`),
  /\b(?:camel|kebab|pascal|snake|upper|lower|title|sentence)[ -]?case\b|\bsemicolons?\b|\b(?:single|double) quotes\b|\b(?:two|four) spaces\b|\btrailing (?:comma|period)s?\b/,
  /\b(?:branch|class|commit|error|file|function|log|test|variable)(?:es)? (?:messages?|names?|lines?)(?::| (?:\w+ )?(?:start|begin|end|follow|use|have|must|should)\b)|\b(?:code|rule)(?: must\b|: )/,
];

const HABIT = [
  /\balways (?!uses?\b)/,
  /\bevery time\b|\b(?:each|every) (?:other )?(?:day|morning|evening|night|week|month|year|weekend|\w+day)\b/,
  /\bhabit(?:s|ual|ually)?\b/,
  /(?<!\b(?:sub|the|this|that|helper|library|parsing|sorting|assembly) )\broutine(?:s|ly)?\b/,
  /\b(?:daily|weekly|monthly|nightly)\b/,
  /\bbefore (?:bed|work|breakfast|each|every)\b/,

  /\b(?:mon|tues|wednes|thurs|fri|satur|sun|week)day(?:s| (?:mornings|afternoons|evenings|nights))\b|\bon weekends\b/,
  /\b(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)\b|\b(?:each|every) (?:quarter|spring|summer|autumn|fall|winter)\b/,
];

const INSIGHT = [
  /\breali[sz](?:ed|ing)\b/,
  /\bdiscovered\b|\bfound out\b|\bturn(?:s|ed) out\b/,
  /\blearn(?:ed|t) (?:that|how|from|about|the hard way)\b|\blessons? learn(?:ed|t)?\b|\blesson\b|^til\b/,
  /\b(?:understood|figured out)\b/,
  /\binsights?\b|\brevelation\b|\bkey takeaway\b/,
  /\broot cause\b|\bcaused by\b|\bthe (?:cause|culprit|bug|problem|issue) (?:was|is)\b/,
  /\b(?:became|is|was) clear that\b|\bnoticed that\b/,

  /\b(?:fix|solution|workaround|cause|remedy|gotcha|takeaway): /,
  new RegExp(`${FAILURE}[^.]{0,80}\\b(?:after|because|by|came from|due to|if|since|unless|until|when)\\b`),
  /\b(?:failed|crashed|hung|broke|leaked|deadlocked|stalled|timed out)\b[^.:;]{0,60}[:;] /,
  /\bbecause (?!of\b)|\bdue to\b|\botherwise\b|\bsilently\b/,
  /\b(?:cured|fixed|resolved|solved|sped up)\b[^.]{0,80}\bby\b|\bhelp(?:s|ed) against\b/,
  /, so [^.]{1,40} (?:must|needs? to|has to|have to)\b|\b(?:does|do) not\b[^.]{1,60}\bonly\b/,
];

const CONTEXT = [
  /\bduring\b/,
  /\bwhile working on\b|\bin the context of\b/,
  /\bat th(?:e|at) time\b|\bas of (?:now|today|last|this|\w+,)/,
  /\b(?:the )?situation (?:was|is)\b|\bbackground:/,
  /\b(?:is|are|was|were|am|i'm|we're) (?:currently |now |still )?working (?:on|at|for|with)\b/,
  /\bcurrently\b|\bat the moment\b|\bin the middle of\b/,
];

/** The patterns of each type. If two types have equally many cues, the earlier type is chosen. */
const CUES: readonly (readonly [MemoryType, readonly RegExp[]])[] = [
  ['Decision', DECISION],
  ['Pattern', PATTERN],
  ['Preference', PREFERENCE],
  ['Style', STYLE],
  ['Habit', HABIT],
  ['Insight', INSIGHT],
  ['Context', CONTEXT],
];

/** The confidence of one cue, which is a weak hint, of two, of three, and of more. The values are those of AutoMem. */
const CONFIDENCES = [0.6, 0.8, 0.9, 0.95] as const;

/**
 * Classifies a text by its words. Reads only the beginning, which shows the type, because a new memory waits for this
 * step.
 *
 * @returns undefined when the text has no cue
 */
export function classifyByPatterns(content: string): { type: MemoryType; confidence: number } | undefined {
  const text = content.slice(0, READ_LENGTH).toLowerCase().replaceAll('’', "'");
  let best: { type: MemoryType; cues: number } | undefined;
  for (const [type, patterns] of CUES) {
    const cues = patterns.filter(pattern => pattern.test(text)).length;
    if (cues > (best?.cues ?? 0)) best = { type, cues };
  }
  return best && { type: best.type, confidence: CONFIDENCES[best.cues - 1] ?? CONFIDENCES[3] };
}
