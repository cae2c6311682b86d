/** Whether two short statements about one thing cannot both be true: they say the same of it, with another value. */
import { words } from '../../domain/text.js';
import { endOfDate, type Run, type Statement, type Token, type TokenKind } from './statement.js';
import { isPastEvent, isVerb, namesOneThing } from './statement-rules.js';
import {
  dimensionOf,
  isAttribute,
  isHighest,
  isLowest,
  isManifold,
  isNegation,
  isNeutral,
  isRecurring,
} from './statement-words.js';

/** What one statement says and the other one does not. */
interface Own {
  /** Words that may narrow what it is about. */
  narrowing: Token[];
  verbs: Token[];
  /** Words that say no more than "is". */
  neutral: Token[];
  /** Runs of values. */
  runs: Run[];
}

/**
 * Strict: there is one value on each side, of one kind, and no further word that could make them two things, such as
 * "replica", "mobile" or "in staging". What has happened stays true, and of many things one has several.
 */
export function cannotBothHold(older: Statement, newer: Statement, question: string): boolean {
  if (!sharesSubject(older, newer) || asksForSeveral(question)) return false;
  const [ofOlder, ofNewer] = [ownOf(older, newer), ownOf(newer, older)];
  if (isDenied(ofOlder, ofNewer, [older, newer])) return true;
  const [a, b] = [ofOlder.runs[0], ofNewer.runs[0]];
  if (!a || !b || ofOlder.runs.length > 1 || ofNewer.runs.length > 1) return false;
  if (!haveOnePredicate(ofOlder, ofNewer)) return false;
  if (isPastEvent(older.tokens) || isPastEvent(newer.tokens)) return false;
  if (isOneOfSeveral(older, a) || isOneOfSeveral(newer, b)) return false;
  return areComparable(older, a, newer, b) && namesOneThing([older.tokens, a], [newer.tokens, b]);
}

export function ownOf({ tokens }: Statement, other: Statement): Own {
  const own: Own = { narrowing: [], verbs: [], neutral: [], runs: [] };
  let open: { start: number; end: number; kinds: Set<TokenKind> } | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'stop' && !isNegation(token.text)) {
      if (BREAKS.has(token.text)) open = undefined;
      continue;
    }
    const isShared = other.keys.has(token.key);
    if (isShared || token.kind === 'word' || token.kind === 'stop') {
      open = undefined;
      if (isShared) continue;
      // "Paying" and "mailing" narrow a noun, where "pays" would be a verb.
      if (isNeutral(token.key) && !token.text.endsWith('ing')) own.neutral.push(token);
      else if (isVerb(tokens, index)) own.verbs.push(token);
      else own.narrowing.push(token);
      continue;
    }
    if (open) open.end = index;
    else {
      open = { start: index, end: index, kinds: new Set() };
      own.runs.push(open);
    }
    open.kinds.add(token.kind);
  }
  return own;
}

const isBare = ({ narrowing, verbs }: Own) => narrowing.length === 0 && verbs.length === 0;

/** What stands on both sides of one of these is said of each other. */
const BREAKS = new Set(
  'am is are was were be been being has have had do does did will would can could should and or'.split(' '),
);

/** Whether the one says of its subject what the other says, as far as can be told without knowing what words mean. */
function haveOnePredicate(older: Own, newer: Own): boolean {
  const either = (is: (key: string) => boolean) =>
    [older, newer].every(({ neutral }) => neutral.some(({ key }) => is(key)));
  if (older.narrowing.length + newer.narrowing.length > 0 || older.verbs.length + newer.verbs.length > 1) return false;
  const has = ({ neutral }: Own, is: (key: string) => boolean) => neutral.some(({ key }) => is(key));
  const areOpposite = (a: Own, b: Own) => has(a, isLowest) && has(b, isHighest);
  return !either(isAttribute) && !areOpposite(older, newer) && !areOpposite(newer, older);
}

/** A name that both have, or two words, one of which tells something. */
function sharesSubject(a: Statement, b: Statement): boolean {
  const shared = a.tokens.filter(({ kind, key }) => kind !== 'stop' && b.keys.has(key));
  const telling = shared.filter(({ key }) => !isNeutral(key));
  const count = new Set(shared.map(({ key }) => key)).size;
  return telling.some(({ isCapitalised }) => isCapitalised || count > 1);
}

/** "Which ports", "what are" and "this and that" have several answers. */
function asksForSeveral(question: string): boolean {
  const asked = words(question);
  return asked.some((word, index) => {
    const after = asked[index + 1] ?? '';
    if (word === 'and') return true;
    return (word === 'which' || word === 'what') && (/^(?:are|were)$/.test(after) || PLURAL.test(after));
  });
}

const PLURAL = /^(?!does$|was$|has$).+[^siu]s$/;

/** The newer one says of the very same that it is not, or no longer, so. */
function isDenied(older: Own, newer: Own, [a, b]: [Statement, Statement]): boolean {
  const isPlain = isBare(older) && older.runs.length === 0 && newer.runs.length === 0;
  return (
    isPlain &&
    newer.verbs.length === 0 &&
    newer.narrowing.length > 0 &&
    newer.narrowing.every(({ text }) => isNegation(text)) &&
    !isPastEvent(a.tokens) &&
    !isPastEvent(b.tokens)
  );
}

/** Where the word before it says that one has many such things. */
function isOneOfSeveral({ tokens }: Statement, { start }: Run): boolean {
  return tokens.slice(0, start).some(({ key }) => isManifold(key));
}

/** Whether both are of one kind and dimension, and of a time that one thing can have. */
function areComparable(older: Statement, a: Run, newer: Statement, b: Run): boolean {
  const kinds = [...a.kinds];
  if (kinds.length !== b.kinds.size || kinds.some(kind => !b.kinds.has(kind))) return false;
  if (kinds.includes('date')) {
    const end = endOfDate(dateAround(older, a), older.notedMs);
    // What was over when the newer note was made is another occasion.
    return kinds.every(kind => kind === 'date' || kind === 'clock') && end !== undefined && end > newer.notedMs;
  }
  if (kinds.includes('weekday')) {
    return (
      !a.kinds.has('name') &&
      !a.kinds.has('number') &&
      older.tokens.some(({ key }) => isRecurring(key) && newer.keys.has(key))
    );
  }
  const unitAfter = ({ tokens }: Statement, { end }: Run) => dimensionOf(tokens[end + 1]?.key ?? '');
  return unitAfter(older, a) === unitAfter(newer, b);
}

/** With the words of the date that the other statement has too. */
function dateAround({ tokens }: Statement, { start, end }: Run): Token[] {
  let [first, last] = [start, end];
  while (tokens[first - 1]?.kind === 'date') first -= 1;
  while (tokens[last + 1]?.kind === 'date') last += 1;
  return tokens.slice(first, last + 1);
}
