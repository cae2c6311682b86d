/**
 * Recognises credentials by their form: tokens with the prefix of their service, private keys, and names with their
 * passwords in addresses, in the header `Authorization`, and on command lines. The package of `credentials.ts` knows other forms, and these are not repeated here.
 */

import {
  type FoundSecret,
  hasBothCases,
  hasDigit,
  hasLetter,
  isLeftOut,
  isPlaceholder,
  RANDOM_LETTERS_MIN,
} from './secret.js';
import FORMS from './tokens.json' with { type: 'json' };

/**
 * The forms of tokens by the kind of the credential: the prefix that begins a token, the characters that follow it, and
 * how many there are at least. The prefixes are those that the services document. The minimum is a little below the length
 * of a whole token, because people shorten and services change lengths.
 */
const TOKENS: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = FORMS;
/** A token does not begin within a word. The `n` of an escaped line break is not part of a word. */
const BEFORE = '(?:(?<![\\w-])|(?<=\\\\[nrt]))';
const LENGTH_MAX = 4_000;

const PATTERNS: readonly [kind: string, pattern: RegExp][] = Object.entries(TOKENS).map(([kind, tokens]) => {
  const forms = tokens.map(([prefix, characters, min]) => `${prefix}${characters}{${min},${LENGTH_MAX}}`);
  return [kind, new RegExp(`${BEFORE}(?:${forms.join('|')})`, 'g')];
});

/**
 * A private key of any kind. A line break may be written as `\n` or be missing, and the end may have been cut off. A
 * header without a key after it, as in a sentence about such files, is not a key.
 */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\{1,4}[nr]|[\s"'`,+>|]){0,60}(?:[A-Za-z0-9+/=]{16}|[A-Za-z0-9+/=]{4,15}(?:\\{1,4}[nr]|\s){0,4}-----END|Proc-Type|Version:|Comment:)|PuTTY-User-Key-File-\d: [\s\S]{1,400}Private-Lines/g;

/** Number of characters at the end of a token that are surely random. */
const TAIL_LENGTH = 16;
const SEPARATOR = /[^A-Za-z0-9]/;

export function findTokens(text: string): FoundSecret[] {
  const found = PATTERNS.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([token]) => isRandom(token.slice(-TAIL_LENGTH)) && !isLeftOut(token))
      .map(match => ({ kind, start: match.index, end: match.index + match[0].length })),
  );
  const keys = [...text.matchAll(PRIVATE_KEY)];
  return [
    ...found,
    ...keys.map(({ 0: key, index }) => ({ kind: 'private key', start: index, end: index + key.length })),
  ];
}

/** A random text contains digits, or small letters and capitals. A name in its place consists of words. */
function isRandom(text: string): boolean {
  return hasDigit(text) || hasBothCases(text) || !SEPARATOR.test(text);
}

const ADDRESS =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"'`<>]{0,100}:(?<value>[^\s/@"'`<>]{4,300})@(?=[\w[])/gi;
const HEADER =
  /authorization\\?["'`]?\s{0,4}[:=]\s{0,4}\\?["'`]?(?:bearer|basic|token|api-?key|digest|negotiate)\s{1,4}(?<value>[\w.~+/=-]{8,8000})/gi;
const BEARER = /\bbearer\s{1,4}(?<value>[\w.~+/=-]{16,8000})/gi;
const BASIC = /\bbasic\s{1,4}(?<value>[A-Za-z0-9+/]{8,2000}={0,2})/gi;
/** `curl -u name:password`, `sshpass -p password`. */
const COMMAND =
  /(?:\s-u\s{0,4}["'`]?[\w.@-]{1,64}:|\b--user[ =]["'`]?[\w.@-]{1,64}:|\bsshpass\s{1,4}-p\s{0,4}["'`]?)(?<value>[^\s"'`]{6,200})/g;

const NAME_AND_PASSWORD = /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,200}$/;

export function findSignIns(text: string): FoundSecret[] {
  return [
    ...matchesOf(text, ADDRESS, 'password in an address', hasLetter),
    ...matchesOf(text, HEADER, 'Authorization header', isRandomPassword),
    ...matchesOf(text, BEARER, 'bearer token', value => hasDigit(value) && hasLetter(value)),
    ...matchesOf(text, BASIC, 'Authorization header', isNameAndPassword),
    ...matchesOf(text, COMMAND, 'password', isRandomPassword),
  ];
}

function matchesOf(text: string, pattern: RegExp, kind: string, isSecret: (value: string) => boolean): FoundSecret[] {
  return [...text.matchAll(pattern)].flatMap(match => {
    const value = match.groups?.value ?? '';
    if (isPlaceholder(value) || !isSecret(value)) return [];
    return [{ kind, start: match.index, end: match.index + match[0].length }];
  });
}

/** A value without a digit may be the name of a variable, such as `accessToken`. */
function isRandomPassword(value: string): boolean {
  return (hasBothCases(value) && value.length >= RANDOM_LETTERS_MIN) || (hasDigit(value) && hasLetter(value));
}

function isNameAndPassword(value: string): boolean {
  return NAME_AND_PASSWORD.test(Buffer.from(value, 'base64').toString('latin1'));
}
