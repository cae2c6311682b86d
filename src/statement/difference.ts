/** Finds the values and the words of a statement that another statement lacks, and groups these words by their role. */
import type { Statement, Token, TokenKind, Value } from './statement.js';
import { isVerb } from './verbs.js';
import { isNegation, isNeutral } from './words.js';

export interface Difference {
  /** Words that may narrow the subject of the statement, such as "replica" or "staging". */
  narrowing: Token[];
  verbs: Token[];
  /** Words that add no more meaning than "is". */
  neutral: Token[];
  values: Value[];
}

/** Words that separate a subject from the claim about the subject. */
const SEPARATORS = new Set(
  'am is are was were be been being has have had do does did will would can could should and or'.split(' '),
);

export function differenceOf({ tokens }: Statement, other: Statement): Difference {
  const found: Difference = { narrowing: [], verbs: [], neutral: [], values: [] };
  let open: Value & { kinds: Set<TokenKind> } = { start: -1, end: -1, kinds: new Set() };
  const close = () => {
    open = { start: -1, end: -1, kinds: new Set() };
  };
  for (const [index, token] of tokens.entries()) {
    const { key, text, kind } = token;
    if (kind === 'stop' && !isNegation(text)) {
      if (SEPARATORS.has(text)) close();
    } else if (other.keys.has(key)) {
      close();
    } else if (kind === 'word' || kind === 'stop') {
      close();
      listOf(found, tokens, index).push(token);
    } else {
      if (open.start < 0) {
        open.start = index;
        found.values.push(open);
      }
      open.end = index;
      open.kinds.add(kind);
    }
  }
  return found;
}

function listOf({ narrowing, verbs, neutral }: Difference, tokens: readonly Token[], index: number): Token[] {
  const { key = '', text = '' } = tokens[index] ?? {};
  // Words with the ending -ing, such as "paying" or "mailing", narrow a noun, whereas "pays" is a verb.
  if (isNeutral(key) && !text.endsWith('ing')) return neutral;
  return isVerb(tokens, index) ? verbs : narrowing;
}
