/**
 * Recognises credentials by their form: tokens with the prefix of their service, private keys, and passwords in
 * addresses. The package of `credentials.ts` knows other forms, and these are not repeated here.
 */
import type { FoundSecret } from './found-secret.js';
import { isLeftOut } from './placeholder.js';
import { hasBothCases, hasDigit } from './shape.js';

/** A prefix that begins a token, the characters that follow it, and how many there are at least. */
type Token = readonly [prefix: string, characters: string, min: number];

const ALNUM = '[A-Za-z0-9]';
const WORD = '[\\w-]';
const HEX = '[0-9a-fA-F]';

/**
 * The prefixes are those that the services document. The minimum is a little below the length of a whole token, because
 * people shorten and services change lengths.
 */
const TOKENS: Readonly<Record<string, readonly Token[]>> = {
  'Stripe key': [
    ['[sr]k_(?:live|test|prod)_', ALNUM, 10],
    ['whsec_', '[\\w+/=]', 20],
  ],
  'GitLab token': [
    ['gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-', '[\\w.-]', 16],
    ['GR1348941', WORD, 16],
  ],
  'GitHub token': [
    ['gh[opsur]_', ALNUM, 30],
    ['github_pat_', '\\w', 30],
  ],
  'Google key': [
    ['AIza', WORD, 30],
    ['GOCSPX-', WORD, 20],
    ['ya29\\.', WORD, 20],
    ['1//0', WORD, 30],
  ],
  'Hugging Face token': [
    ['hf_', ALNUM, 20],
    ['api_org_', ALNUM, 20],
  ],
  'OpenAI key': [
    ['sk-(?:proj|svcacct|admin|None)-', WORD, 20],
    ['sk-', ALNUM, 32],
  ],
  'model provider key': [
    ['sk-ant-', WORD, 20],
    ['sk-or-(?:v1-)?', ALNUM, 32],
    ['gsk_', ALNUM, 30],
    ['xai-', ALNUM, 30],
    ['r8_', ALNUM, 30],
    ['pplx-', ALNUM, 30],
    ['nvapi-', WORD, 30],
    ['tvly-', WORD, 20],
    ['jina_', WORD, 30],
    ['pcsk_', '\\w', 30],
    ['lsv2_(?:pt|sk)_', '\\w', 30],
    ['dapi', HEX, 32],
    ['[sp]k-lf-', WORD, 30],
  ],
  'AWS key': [['(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z0-9]', 16]],
  'Azure key': [
    ['(?:AccountKey|SharedAccessKey)=', '[A-Za-z0-9+/=]', 30],
    ['\\w{3}[78]Q~', '[\\w~.-]', 30],
    ['sig=', '[\\w%+/=-]', 30],
  ],
  'package registry token': [
    ['npm_', ALNUM, 30],
    ['pypi-AgE', WORD, 16],
    ['rubygems_', HEX, 40],
    ['dckr_(?:pat|oat)_', WORD, 20],
    ['AKCp', ALNUM, 60],
    ['oy2', '[a-z0-9]', 43],
  ],
  'Slack token': [
    ['xox[a-z](?:\\.xox[a-z])?-', WORD, 10],
    ['xapp-', WORD, 20],
  ],
  'bot token': [
    ['\\d{6,12}:AA', WORD, 30],
    ['[MNO][\\w-]{22,27}\\.[\\w-]{6,7}\\.', WORD, 27],
  ],
  webhook: [
    ['hooks\\.slack\\.com/(?:services|workflows|triggers)/', '[\\w/]', 20],
    ['discord(?:app)?\\.com/api/webhooks/\\d{5,25}/', WORD, 20],
    ['webhook\\.office\\.com/webhookb2/', '[\\w@/-]', 40],
  ],
  'service token': [
    ['do[oprt]_v1_', ALNUM, 40],
    ['hv[sbr]\\.', WORD, 20],
    ['\\w{14}\\.atlasv1\\.', WORD, 40],
    ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.', ALNUM, 30],
    ['HRKU-', WORD, 30],
    ['fo1_', WORD, 30],
    ['nfp_', ALNUM, 30],
    ['rnd_', ALNUM, 28],
    ['pul-', HEX, 40],
    ['sbp_', ALNUM, 30],
    ['sb_secret_', WORD, 20],
    ['pscale_(?:tkn|pw|oauth)_', '[\\w.-]', 30],
    ['v1\\.0-', HEX, 24],
    ['LTAI', ALNUM, 16],
    ['AKID', ALNUM, 32],
    ['shp(?:at|ca|pa|ss)_', ALNUM, 24],
    ['sq0[a-z]{3}-', WORD, 22],
    ['access_token\\$production\\$', '[\\w$]', 20],
    ['shippo_(?:live|test)_', HEX, 40],
    ['EZ[AT]K', ALNUM, 54],
    ['SG\\.[\\w-]{16,32}\\.', WORD, 16],
    ['key-', HEX, 32],
    ['xkeysib-', '[0-9a-z-]', 40],
    ['SK', HEX, 32],
    ['re_[A-Za-z0-9]{8}_', ALNUM, 20],
    ['ntn_', ALNUM, 30],
    ['lin_(?:api|oauth)_', ALNUM, 30],
    ['figd_', WORD, 30],
    ['pat[A-Za-z0-9]{14}\\.', HEX, 40],
    ['AT[AC]TT3', '[\\w=-]', 50],
    ['ATBB', '[\\w=]', 24],
    ['sntry[su]_', '[\\w+/=-]', 40],
    ['gl(?:sa|c)_', '[\\w+/=]', 30],
    ['NRAK-', '[A-Z0-9]', 27],
    ['PMAK-', '[0-9a-f-]', 50],
    ['bk[a-z]{2}_', HEX, 40],
    ['CCIPAT_', '\\w', 30],
    ['sgp_', '\\w', 40],
    ['tfp_', WORD, 40],
    ['CFPAT-', WORD, 40],
    ['dt0c01\\.', '[A-Z0-9.]', 60],
    ['pat-(?:na|eu)\\d-', '[0-9a-f-]', 30],
    ['ops_eyJ', WORD, 40],
    ['EAA[A-Za-z]', ALNUM, 60],
  ],
  'age key': [['AGE-SECRET-KEY-1', '[A-Z0-9]', 30]],
  'JSON Web Token': [['eyJ[\\w-]{8,2000}\\.[\\w-]{8,8000}\\.', WORD, 8]],
};

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
