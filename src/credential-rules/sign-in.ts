/** Recognises names with their passwords: in addresses, in the header `Authorization`, and on command lines. */
import type { FoundSecret } from './found-secret.js';
import { isPlaceholder } from './placeholder.js';
import { hasBothCases, hasDigit, hasLetter } from './shape.js';

const ADDRESS =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"'`<>]{0,100}:(?<value>[^\s/@"'`<>]{4,300})@(?=[\w[])/gi;
const HEADER =
  /authorization\\?["'`]?\s{0,4}[:=]\s{0,4}\\?["'`]?(?:bearer|basic|token|api-?key|digest|negotiate)\s{1,4}(?<value>[\w.~+/=-]{8,8000})/gi;
const BEARER = /\bbearer\s{1,4}(?<value>[\w.~+/=-]{16,8000})/gi;
const BASIC = /\bbasic\s{1,4}(?<value>[A-Za-z0-9+/]{8,2000}={0,2})/gi;
/** `curl -u name:password`, `sshpass -p password`. */
const COMMAND =
  /(?:\s-u\s{0,4}["'`]?[\w.@-]{1,64}:|\b--user[ =]["'`]?[\w.@-]{1,64}:|\bsshpass\s{1,4}-p\s{0,4}["'`]?)(?<value>[^\s"'`]{6,200})/g;

const RANDOM_LETTERS_MIN = 20;
const NAME_AND_PASSWORD = /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,200}$/;

export function findSignIns(text: string): FoundSecret[] {
  return [
    ...matchesOf(text, ADDRESS, 'password in an address', hasLetter),
    ...matchesOf(text, HEADER, 'Authorization header', isRandom),
    ...matchesOf(text, BEARER, 'bearer token', value => hasDigit(value) && hasLetter(value)),
    ...matchesOf(text, BASIC, 'Authorization header', isNameAndPassword),
    ...matchesOf(text, COMMAND, 'password', isRandom),
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
function isRandom(value: string): boolean {
  return (hasBothCases(value) && value.length >= RANDOM_LETTERS_MIN) || (hasDigit(value) && hasLetter(value));
}

function isNameAndPassword(value: string): boolean {
  return NAME_AND_PASSWORD.test(Buffer.from(value, 'base64').toString('latin1'));
}
