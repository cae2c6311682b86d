/**
 * What a found secret is, and what only stands in the place of one: words, variables, and marks for something left out.
 */
import PLACEHOLDERS from './placeholders.json' with { type: 'json' };

/** Words that documents write instead of a secret, and values that say something about a secret. */
const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set(PLACEHOLDERS);
const LEFT_OUT =
  /x{4}|\*{3}|\.{3}|…|•{3}|example|placeholder|redacted|your[-_. ]?|changeme|change[-_]me|dummy|<[^<>]{0,60}>/i;
/** A variable, a template, an expression, a path, an address or a reference to a place where secrets are kept. */
const REFERENCE =
  /^(?:\$[\w{(]|pbkdf2|argon2|scrypt|bcrypt|\$\$|%\w+%?$|#?\{|\{\{|<|\[|\(|\*|~|\.{0,2}\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|arn:|op:|ref\+|vault:|keyvault|env[:.(]|file:|secretKeyRef|!|&|[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}\/)|[()]|\?\.|\b(?:process|import\.meta|os|secrets|config|settings|self|this|options|props|req|request|env|args|params|ctx|context|state|user|data|body)\.[A-Za-z_]/;

/** Names that examples write instead of a secret, such as `mysecretpassword` or `test_token1`. */
const NAME =
  /^(?:(?:a|admin|confirm|current|db|default|fake|long|my|new|old|root|secret|secure|some|strong|test|the|user)[-_]?){0,3}(?:key|pass|passphrase|passwd|password|secret|token)\d{0,3}$/;
const BLANK = /<[^<>\s]{1,60}>|\$\{[^{}]{1,60}\}|\{\{[^{}]{1,60}\}\}|(?:^|[-_/:])your[-_]/i;

/** Whether a value only stands in the place of a secret that is assigned to a name. */
export function isPlaceholder(value: string): boolean {
  return isLeftOut(value) || REFERENCE.test(value) || NAME.test(value.toLowerCase());
}

/** Whether the secret part of a text was left out. */
export function isLeftOut(text: string): boolean {
  const word = text.toLowerCase();
  return PLACEHOLDER_WORDS.has(word) || isTemplate(text) || LEFT_OUT.test(text) || new Set(word).size < 4;
}

/** Whether a text has a blank that is to be filled in, such as `<password>` or `${DB_PASSWORD}`. */
export function isTemplate(text: string): boolean {
  return BLANK.test(text);
}

/** A place where a text seems to contain a secret. Offsets are in UTF-16 code units. */
export interface FoundSecret {
  /** Kind of the credential, such as "GitLab token". */
  kind: string;
  start: number;
  end: number;
}

const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const SMALL = /\p{Ll}/u;
const CAPITAL = /\p{Lu}/u;

export const hasDigit = (value: string): boolean => DIGIT.test(value);
export const hasLetter = (value: string): boolean => LETTER.test(value);
export const hasBothCases = (value: string): boolean => SMALL.test(value) && CAPITAL.test(value);

/** From this number of letters on, letters in both cases without a digit count as random. */
export const RANDOM_LETTERS_MIN = 20;

/** Tags of one record stand on one line, because a whole line would count as a line of a configuration. */
export function textOfTags(tags: unknown): string {
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string').join(' , ') : textOf(tags);
}

/** Writes each value of any JSON on a line of its own, after the key that leads to it, and each key without a text. */
export function textOfMetadata(metadata: unknown): string {
  const lines: string[] = [];
  // A list of pending values instead of recursion, because the input may be nested to any depth.
  const pending: [key: string, value: unknown][] = [['', metadata]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [key, value] = next;
    const parts = partsOf(key, value);
    // A loop instead of spread arguments, because a list may be longer than arguments may be.
    for (const part of parts) pending.push(part);
    const text = textOf(value);
    if (text !== '') lines.push(key === '' ? text : `${key}: ${text}`);
    else if (key !== '' && !Array.isArray(value)) lines.push(key);
  }
  return lines.reverse().join('\n');
}

function partsOf(key: string, value: unknown): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.length === 0 ? [[key, null]] : value.map(each => [key, each]);
  return typeof value === 'object' && value !== null ? entriesOf(value) : [];
}

/** The entries of an object. `{name: "PASSWORD", value: "…"}`, as in many configurations, counts as one entry. */
function entriesOf(value: object): [key: string, value: unknown][] {
  const { name, key = name, value: named, ...others } = value as Record<string, unknown>;
  const isPair = typeof key === 'string' && named !== undefined;
  return isPair ? [...Object.entries(others), [key, named]] : Object.entries(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
