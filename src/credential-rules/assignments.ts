/**
 * Recognises secrets by the name that a value is assigned to, as in `DB_PASSWORD=…` or `"api_key": "…"`. Sentences use
 * the same names, so the value decides, and the less the form resembles a configuration, the more random it must look.
 */
import { type FoundSecret, hasBothCases, isPlaceholder, RANDOM_LETTERS_MIN } from './secret.js';

/** The last words of names of secrets, by the kind of the secret. */
const KINDS = {
  password:
    'pass(?:words?|wd|phrases?|code|wort)|pass|pwd|kennwort|contraseña|mot de passe|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀번호',
  secret: 'secrets?|credentials?',
  token: 'tokens?|authorization|bearer',
  key: '(?:api|access|private|secret|encryption|signing|master|account|auth|service|shared|storage|license|subscription|preshared|webhook|app)[ _.-]?keys?(?:[_-]base)?',
} as const;
type Kind = keyof typeof KINDS;

const NAME = Object.entries(KINDS)
  .map(([kind, names]) => `(?<${kind}>${names})`)
  .join('|');
const QUOTE = '\\\\?["\'`]';
/** What stands between a name and its value. */
const BY = '\\s{0,4}(?:=>|:=|[=:：])\\s{0,4}|\\s(?:is|ist|lautet|est|es):?\\s|\\s{1,2}|>';
/** The value is only looked at, because a value may be the next name. */
const ASSIGNMENT = new RegExp(
  `(?:${NAME})(?<close>${QUOTE}|\\])?(?<by>${BY})(?<open>${QUOTE})?(?=(?<value>[^\\s"'\`<>,;&]{6,128}))`,
  'giu',
);
/** How far back the beginning of a name is read. */
const NAME_MAX_LENGTH = 60;

/** Words before the ending that make it the name of something else. `ADMIN_` does not end with the word `min`. */
const OTHER_NAMES =
  /^(?:max|min|num|total|progress|next|prev|previous|page|paging|continuation|cursor|sync|eos|bos|pad|cls|sep|unk|mask|stop|special|cancel|design|csrf|xsrf|public)$/i;
const LAST_WORD = /(\p{Lu}?\p{Ll}{1,60}|\p{Lu}{1,60})[_.-]?$/u;
const WORD_BEFORE = /[\p{L}\d_.-]{0,60}$/u;
const FLAG = /--[\w-]{0,60}$/;
/** A line of `.netrc`. */
const LOGIN = /\blogin\s\S{1,40}\s$/;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
const END_OF_SENTENCE = /[.:)\]}\\]{1,10}$/;

/** Shapes of values. */
const LETTERS_ONLY = /^[\p{L}_.-]+$/u;
const DIGITS_ONLY = /^[\d.:/-]+$/;
/** Sentences in these scripts have no spaces, and nobody uses them for passwords. */
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;
const IDENTIFIER = /_|\.|[a-z][A-Z]/;
const DATE_OR_VERSION = /^(?:\d{4}-\d\d-\d\d|v?\d+(?:\.\d+)+)/;
const DIGIT_WITHIN = /\p{L}\d{1,20}\p{L}/u;
const TWO_NUMBERS = /\d\D+\d/;
const SYMBOL = /[!@#$%^*+?~]/;
/** A word with a number, as people choose it for a password. */
const WORD_WITH_NUMBER = /^\p{L}{3,}[!@#$%^*+?_-]?\d+[!@#$%^*+?]*$/u;
/** What sentences say about a password. */
const ALGORITHM =
  /^(?:aes|argon|base|bcrypt|blake|chacha|es|hs|http|iso|md|nist|oauth|pbkdf|rs|rsa|scrypt|sha|tls|unicode|utf|version)\W?\d/i;

interface Assignment {
  kind: Kind;
  value: string;
  /** The whole name is written as a variable of the environment. */
  isVariable: boolean;
  /** The name consists of parts, as in code and settings, such as `db_password` or `dbPassword`. */
  isIdentifier: boolean;
  /** Whether a colon assigns the value. */
  hasColon: boolean;
}

export function findAssignments(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(ASSIGNMENT)) {
    const groups = match.groups as Record<string, string | undefined>;
    const value = (groups.value ?? '').replace(END_OF_SENTENCE, '');
    const kind = (Object.keys(KINDS) as Kind[]).find(each => groups[each] !== undefined) as Kind;
    const before = text.slice(Math.max(0, match.index - NAME_MAX_LENGTH), match.index);
    const name = `${WORD_BEFORE.exec(before)?.[0] ?? ''}${groups[kind]}`;
    if (isOtherName(name, groups[kind] ?? '') || isPlaceholder(value) || EAST_ASIAN.test(value)) continue;
    const assignment = {
      kind,
      value,
      isVariable: VARIABLE.test(name),
      isIdentifier: IDENTIFIER.test(name),
      hasColon: /[:：]/.test(groups.by ?? ''),
    };
    const form = formOf(match, before, assignment);
    if (form === undefined) continue;
    const isSecret = form === 'configuration' ? isConfiguredSecret(assignment) : isSecretInProse(assignment);
    const start = match.index + match[0].length;
    if (isSecret) found.push({ kind, start, end: start + value.length });
  }
  return found;
}

function isOtherName(name: string, ending: string): boolean {
  const beginning = name.slice(0, name.length - ending.length);
  if (OTHER_NAMES.test(LAST_WORD.exec(beginning)?.[1] ?? '')) return true;
  // Short endings are part of other words, such as `bypass` or `compass`.
  const isShort = ending.length <= 4;
  return isShort && /\p{Ll}$/u.test(beginning) && !/^\p{Lu}/u.test(ending);
}

/** How the value is assigned. Undefined if it only stands after the name. */
function formOf(
  match: RegExpExecArray,
  before: string,
  { isVariable, isIdentifier, hasColon, value }: Assignment,
): 'configuration' | 'prose' | undefined {
  const { by = '', open, close } = match.groups as Record<string, string | undefined>;
  if (by === '>')
    return /<[\w.:-]{0,60}$/.test(before) && isFollowedBy(match, value, '</') ? 'configuration' : undefined;
  if (by.trim() === '') {
    if (FLAG.test(before) || LOGIN.test(before)) return 'configuration';
    return open === undefined ? undefined : 'prose';
  }
  if (!/[=:：]/.test(by)) return 'prose';
  const isTight = by === '=' || by === ':=';
  const isWholeLine = /(?:^|\n)[ \t]{0,20}(?:[-*] )?["'`\w.-]{0,60}$/.test(before) && isFollowedBy(match, value, '\n');
  const isQuoted = open !== undefined && (close !== undefined || !hasColon);
  return isTight || isWholeLine || isQuoted || isVariable || isIdentifier ? 'configuration' : 'prose';
}

/** Whether a text follows the value, after its quotation mark and a comma. */
function isFollowedBy({ input, index, 0: { length } }: RegExpExecArray, value: string, text: string): boolean {
  const after = input
    .slice(index + length + value.length, index + length + value.length + 8)
    .replace(/^["'`,; \t\r]+/, '');
  return after.startsWith(text) || (text === '\n' && after === '');
}

function isConfiguredSecret({ kind, value, isVariable }: Assignment): boolean {
  if (DATE_OR_VERSION.test(value)) return false;
  if (DIGITS_ONLY.test(value)) return kind === 'password';
  if (!LETTERS_ONLY.test(value)) return kind === 'password' || (value.length >= 8 && (isVariable || isRandom(value)));
  if (kind !== 'password') return value.length >= RANDOM_LETTERS_MIN && hasBothCases(value) && !/[_.]/.test(value);
  return isVariable || (value.length >= 8 && !IDENTIFIER.test(value));
}

function isSecretInProse({ kind, value }: Assignment): boolean {
  if (DATE_OR_VERSION.test(value)) return false;
  if (kind === 'password' && WORD_WITH_NUMBER.test(value)) return !ALGORITHM.test(value);
  if (value.length < 8 || !DIGIT_WITHIN.test(value)) return false;
  return TWO_NUMBERS.test(value) || (kind === 'password' && (hasBothCases(value) || SYMBOL.test(value)));
}

/** Names of types and variables have at most one number, such as `Float64Array`. */
function isRandom(value: string): boolean {
  return TWO_NUMBERS.test(value) || value.length >= RANDOM_LETTERS_MIN;
}
