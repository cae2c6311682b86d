/** Every regular expression of the source takes linear time on any text. */
import { describe, expect, test } from 'vitest';
import { PHRASE_BOOKS } from '../src/time/translation.js';
import { type HostileText, hostileTexts, textOf } from './support/hostile-texts.js';
import { computedPatterns, computingFiles, type FoundPattern, literalPatterns } from './support/regular-expressions.js';
import { readSources } from './support/source-code.js';

const sources = readSources('src');
const files = computingFiles(sources);

/** Importing a file under another name computes its patterns again. */
const loadAnew = (path: string) => import(/* @vite-ignore */ `../${path}?anew`);

async function computeAll(): Promise<void> {
  for (const path of files) await loadAnew(path);
  const { languageMention } = await loadAnew('src/recall/language/hints.ts');
  const { phrasesOf } = await loadAnew('src/time/translation.ts');
  for (const language of Object.keys(PHRASE_BOOKS)) phrasesOf(language).translate('x');
  const { languageOfName } = await import('../src/recall/language/hints.js');
  for (const name of ['python', 'c++', 'c', 'go', 'r', 'objective-c', 'docker', 'my-own-language']) {
    languageMention(languageOfName(name));
  }
}

const computed = await computedPatterns(files, computeAll);
const patterns = [...literalPatterns(sources), ...computed];

/**
 * Searches the whole text and continues after every match, which is more work than any use of the pattern. Measures
 * processor time, so other load on the machine does not change the result.
 */
function searchMs(pattern: RegExp, text: string): number {
  const started = process.cpuUsage();
  text.replace(pattern, '');
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/** On texts of these lengths, patterns with exponential or cubic time are slow, and all other patterns are fast. */
const SHORT_LENGTHS = [22, 28, 300];
const SHORT_MAX_MS = 4;
const LENGTH = 2_000;
const SUSPICIOUS_MS = 0.25;
const GROWTH = 3;
/** If a text grows threefold, a linear pattern takes 3 times as long, and a quadratic pattern takes 9 times as long. */
const LINEAR_GROWTH_MAX = 6.5;
/** The fastest of several rounds counts, because first runs and runs with garbage collection are slower. */
const ROUNDS = 3;

function isSlow(pattern: RegExp, text: HostileText): boolean {
  const timed = (length: number) => searchMs(pattern, textOf(text, length));
  const isLong = (length: number) => Array.from({ length: ROUNDS }).every(() => timed(length) > SHORT_MAX_MS);
  if (SHORT_LENGTHS.some(isLong)) return true;
  if (timed(LENGTH) < SUSPICIOUS_MS) return false;
  let shortMs = Infinity;
  let longMs = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    shortMs = Math.min(shortMs, timed(LENGTH));
    longMs = Math.min(longMs, timed(LENGTH * GROWTH));
    if (round > 0 && longMs <= shortMs * LINEAR_GROWTH_MAX) return false;
  }
  return true;
}

/** Repeats the measurement, because other threads of this process may use the processor during one of them. */
function isSlowAgainAndAgain(pattern: RegExp, text: HostileText): boolean {
  return Array.from({ length: ROUNDS }).every(() => isSlow(pattern, text));
}

function slowPatterns(found: readonly FoundPattern[]): string[] {
  return found.flatMap(({ place, pattern }) => {
    const anywhere = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
    const text = hostileTexts(pattern).find(each => isSlowAgainAndAgain(anywhere, each));
    return text ? [`${place} ${pattern} is slow on ${JSON.stringify(text)}`] : [];
  });
}

describe('regular expressions', () => {
  test('are found: the literal ones, and the computed ones of every file that computes any', () => {
    expect(patterns.length).toBeGreaterThan(250);
    const found = new Set(computed.map(({ place }) => place));
    expect(files.filter(path => !found.has(path))).toEqual([]);
  });

  test('take linear time', () => expect(slowPatterns(patterns)).toEqual([]));

  test.each([
    [/(?<=[^\s.!?:]\s+)\p{Lu}\p{Ll}+/gu],
    [/\s+$/],
    [/[a-z]+@/],
    [/\d+[^\d]*x/],
    [/^(a+)+$/],
    [/^(?:a|a)*b/],
    [/^(.*)-(.*)-(.*)=$/],
    [/["“]([^"”]+)["”]/],
    [/<[^>]*>;/],
    [/^\s*if\s*\(.*\)\s*\S*$/],
    [/[()=[\]].*;\s*$/],
  ])('%s is detected as slow', { retry: 3 }, pattern =>
    // A busy processor makes the short text slow too, so that the growth is not seen.
    expect(slowPatterns([{ place: 'here', pattern }])).toHaveLength(1),
  );

  test.each([[/(?<=\S\s{1,20})\p{Lu}/gu], [/[a-z]{1,64}@/], [/^\s*(?:a|b)+$/], [/[^\n]+/]])(
    '%s is fast enough',
    pattern => expect(slowPatterns([{ place: 'here', pattern }])).toEqual([]),
  );
});
