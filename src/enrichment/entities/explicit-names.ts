/** Finds names by their punctuation: speakers, projects, titles of works, identifiers between back-ticks. */
import { isStopWord } from '../../domain/text/language.js';
import { knownAsWritten, knownByKey } from './known-names.js';
import { FIRST_NAMES, isOrdinaryWord, WORDLIKE_FIRST_NAMES, WORDS, wordSet } from './lists.js';
import { type FoundName, keyOf } from './sentence.js';

/** A line of a dialogue. It has an optional time, the speaker and the words. */
const SPEAKER =
  /^[ \t]*(?:[-*>] ?|\[[^\]\n]{1,40}\] ?|\([^)\n]{1,40}\) ?)?\**(\p{Lu}[\p{L}\p{M}'’-]{0,20}(?: \p{Lu}[\p{L}\p{M}'’-]{1,20}\.?)?)\**:\**[ \t]+(\S.*)/gmu;
/** Words that show a conversation. If the words of a line contain one of them, the line counts as spoken. */
const SPOKEN =
  /\b(?:I|I['’]\w+|you|your|you['’]\w+|my|me|we|us|our|hey|hi|hello|thanks|wow|yeah|yep|haha|lol|congrats|bye|awesome|cool|nice)\b/i;

/**
 * Words that people say to each other. If the words of a line contain one of them, a place name before the colon is the
 * name of a speaker.
 */
const IN_PERSON = /\b(?:I|I['’]\w+|you|hey|hi|hello|thanks)\b/i;

const CODENAME = /\bProject (\p{Lu}[\p{L}\d-]{2,30})/gu;
const NAMED_PROJECT =
  /\b(?:[Rr]epo|[Rr]epository|[Pp]roject)(?: "([\w .-]{2,40})"|: ?"?([\p{L}\d][\p{L}\d_.-]{1,40}[\p{L}\d])|(?<=\bproject) (\p{Lu}[\p{L}\d-]{2,30}))/gu;
/** Words that are not the name of a project, even if they follow "Project" with a capital: "Project Plan". */
const PARTS_OF_PROJECTS: ReadonlySet<string> = new Set(WORDS.partsOfProjects);

const QUOTED = /["“]([\p{Lu}\d][^"“”\n]{1,60})["”]/gu;
/** Verbs and nouns that occur beside the title of a work, such as "read" and "novel". */
const WORK =
  /\b(?:read|reading|reads|watch(?:ed|ing)?|saw|seen|book|novel|movie|film|song|album|series|show|game|poem|painting|podcast|listen(?:ed|ing)?|heard|play(?:ed|ing)?|author|story|musical|opera|think of|to see|title[ds]?|episode|favou?rite|finished|memoir|documentary|trilogy|loved)\b/i;
/** Maximum distance between a name and a cue for the name, in characters. */
const NEARBY = 60;
const SMALL_WORDS = wordSet('a an and as at but by for from in into nor of on or over per the to up with is');

export function explicitNames(prose: Prose): FoundName[] {
  return [...speakers(prose.text), ...projects(prose.text), ...works(prose.text), ...identifiers(prose)];
}

function speakers(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const match of text.matchAll(SPEAKER)) {
    const [line, name = '', said = ''] = match;
    if (!isSpeaker(name, said)) continue;
    const at = match.index + line.indexOf(name);
    found.push({ kind: 'people', name, at, end: at + name.length, isCertain: true });
  }
  return found;
}

/**
 * Whether a name is that of a speaker. "Fix: ..." and "Node: ..." have no speaker. A name that is not a usual given
 * name is a speaker only in a conversation.
 */
function isSpeaker(name: string, said: string): boolean {
  const [first = ''] = keyOf(name).split(' ');
  const known = knownByKey(keyOf(name));
  if (known) return known.isPlace && IN_PERSON.test(said);
  if (FIRST_NAMES.has(first)) return true;
  if (!SPOKEN.test(said)) return false;
  return WORDLIKE_FIRST_NAMES.has(first) || !(isOrdinaryWord(first) || first.endsWith('s'));
}

function projects(text: string): FoundName[] {
  const codenames = [...text.matchAll(CODENAME)].filter(([, name = '']) => !PARTS_OF_PROJECTS.has(name.toLowerCase()));
  const named = [...text.matchAll(NAMED_PROJECT)].filter(([, quoted, ...names]) => quoted ?? names.some(isProjectName));
  return [...codenames, ...named].map(match => {
    const name = match.slice(1).find(group => group !== undefined) ?? '';
    const at = match.index + match[0].lastIndexOf(name);
    return { kind: 'projects', name, at, end: at + name.length, isCertain: true };
  });
}

/**
 * Whether a name is that of a project. "React" in "the project React needs" and "build" in "Project: build a shed" are
 * not names of projects.
 */
function isProjectName(name: string | undefined): boolean {
  if (name === undefined) return false;
  const key = keyOf(name);
  return !isOrdinaryWord(key) && !FIRST_NAMES.has(key) && knownByKey(key) === undefined;
}

/** A quotation in title case is the title of a work if a nearby word suggests a work, such as "read" or "novel". */
function works(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const match of text.matchAll(QUOTED)) {
    const [quoted, name = ''] = match;
    const end = match.index + quoted.length;
    const nearby = `${text.slice(Math.max(0, match.index - NEARBY), match.index)} ${text.slice(end, end + NEARBY)}`;
    if (isTitle(name) && WORK.test(nearby)) {
      found.push({ kind: 'concepts', name: name.replace(/[.,!?]{1,60}$/, ''), at: match.index, end, isCertain: true });
    }
  }
  return found;
}

function isTitle(quoted: string): boolean {
  const words = quoted.split(' ');
  if (words.length > 8 || (words.length === 1 && isStopWord(quoted.toLowerCase()))) return false;
  return words.every(word => /^[\p{Lu}\d&]/u.test(word) || SMALL_WORDS.has(word));
}

const SLUG = /^\p{Ll}{2,}(?:-\p{Ll}+)+$/u;
const QUOTED_CODENAME = /^\p{Lu}?\p{Ll}{3,30}$/u;
const SYMBOL = /^[$_]?([\p{L}][\p{L}\d_]{6,58}[\p{L}\d])(?:\(\))?$/u;
const SYMBOL_WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
const SYMBOL_WORDS_MIN = 3;
const LOWER = /\p{Ll}/u;
const ERROR = /(?:Error|Exception|Warning)$/;
const COMMAND = /^([\w.+-]{2,20}) [\w.@"'-]/;

const PROJECT =
  'repo|repos|repository|project|service|codebase|monorepo|worker|app|microservice|backend|frontend|website';
const BEFORE_PROJECT = new RegExp(`\\b(?:${PROJECT}),? (?:called |named |is )?$`, 'i');
const AFTER_PROJECT = new RegExp(`^ (?:${PROJECT})\\b`, 'i');
const PACKAGE = 'package|library|dependency|plugin|module|crate|gem|middleware|cli|tool|image|extension';
const BEFORE_PACKAGE = new RegExp(
  `\\b(?:${PACKAGE}|bump(?:ed|ing)?|install(?:ed|ing)?|upgrad(?:ed?|ing)|pin(?:ned)?|us(?:e|es|ed|ing)|via|with|removed?|add(?:ed)?|imports?|imported|replaced?),? $`,
  'i',
);
const AFTER_PACKAGE = new RegExp(`^ (?:${PACKAGE}|\\d+\\.\\d)\\b`, 'i');

/** Words beside the names of options, fields and values. Such names are spelled like projects but are not entities. */
const PART =
  'property|headers?|flags?|options?|rules?|class|classes|events?|fields?|tags?|branch|attribute|values?|keys?|settings?|status|types?|modes?|format|keywords?|columns?|roles?|labels?|states?|parameters?';
const BEFORE_PART = new RegExp(`\\b(?:${PART}),?(?: called| named| is| to| as)? $`, 'i');
const AFTER_PART = new RegExp(`^ (?:${PART})\\b`, 'i');

/**
 * Classifies names between back-ticks. AutoMem treats every such name as a project, but most are symbols, fields and
 * literals of code. Engraph treats a name that is written `like-this` as a project, because repositories and packages
 * have such names, or as a tool if a cue shows a tool. A known tool, alone or at the start of a command, is a tool. A
 * plain word is a project beside a word such as "repo". A symbol of three words or more is a concept. Shorter symbols
 * are not entities, because they mean something else in every program. Paths, literals and other plain words are not
 * entities either.
 */
function identifiers({ text, quotedCode }: Prose): FoundName[] {
  return quotedCode.flatMap(({ at, text: code }) => {
    const end = at + code.length + 2;
    const before = text.slice(Math.max(0, at - NEARBY), at);
    const entity = identifierOf(code.trim(), before, text.slice(end, end + NEARBY));
    return entity ? [{ ...entity, at, end, isCertain: true }] : [];
  });
}

function identifierOf(code: string, before: string, after: string): Pick<FoundName, 'kind' | 'name'> | undefined {
  const known = knownAsWritten(COMMAND.exec(code)?.[1] ?? code);
  if (known?.kind === 'tools') return { kind: 'tools', name: known.name };
  const isProject = BEFORE_PROJECT.test(before) || AFTER_PROJECT.test(after);
  if (isProject && QUOTED_CODENAME.test(code) && !isOrdinaryWord(keyOf(code))) return { kind: 'projects', name: code };
  if (SLUG.test(code)) {
    if (BEFORE_PART.test(before) || AFTER_PART.test(after)) return undefined;
    const isTool = !isProject && (BEFORE_PACKAGE.test(before) || AFTER_PACKAGE.test(after));
    return { kind: isTool ? 'tools' : 'projects', name: code };
  }
  const symbol = SYMBOL.exec(code)?.[1];
  return symbol !== undefined && isTelling(symbol) ? { kind: 'concepts', name: symbol } : undefined;
}

/**
 * Whether a symbol is specific enough to mean the same everywhere: it has three words or more, and is neither a
 * constant in capitals nor the name of an error.
 */
function isTelling(symbol: string): boolean {
  if (!LOWER.test(symbol) || ERROR.test(symbol)) return false;
  return (symbol.match(SYMBOL_WORD)?.length ?? 0) >= SYMBOL_WORDS_MIN;
}

interface Prose {
  /** The prose. It has the length of the original text, so that positions are the same in both texts. */
  text: string;
  /** Texts between back-ticks. Code blocks are not included. */
  quotedCode: { at: number; text: string }[];
}

/**
 * The character that replaces everything except prose. It is a private-use character of Unicode, so it is not a letter,
 * a space or punctuation that joins names.
 */
const MARK = '\ue000';

const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;
const QUOTED_CODE = /`([^`\n]{1,80})`/g;
/** Matches the address of a Markdown link. The text of the link is prose. */
const LINK = /\]\([^)\s]{1,300}\)/g;
const TAG = /<[/!]?[a-zA-Z][^<>]{0,300}>/g;
const ADDRESS = /\b(?:https?|ftp|ssh|git|file|wss?|redis|postgres|postgresql|mongodb):\/\/\S+|\bwww\.\S+/gi;
const CHUNK = /\S+/g;
/** Matches most words, and some hexadecimal numbers. */
const LETTERS = /^[a-zA-Z]?[a-z]{1,40}[,.]?$/;
const NOT_HEXADECIMAL = /[g-z]/;

/** Lines that are statements of a programming or query language. */
const CODE_LINES = [
  /[{}]\s*$|\)\s*=>|=>\s*[{(]/,
  /^\s*(?:export |async )*(?:(?:const|let|var)\s+[\w$]+\s*[=:]|(?:const|let|var)\s*[{[]|function\s*\w*\(|def\s+\w+\(|fn\s+\w+\(|func\s+\w+\(|class\s+\w+\s*[({:])/,
  /^\s*(?:import\s.*\bfrom\s+['"]|import\s+['"]|from\s+\S+\s+import\s|(?:if|for|while|switch)\s*\(.*\)\s*[^\s)]*$)/,
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP)\s+\S.*\b(?:FROM|VALUES|SET|WHERE|TABLE|INDEX)\b/,
  /^\s*\$ \w/,
];
const LINE = /[^\n]+/g;
const OTHER_LINE_END = /[\r\u2028\u2029]/;

const FILE =
  /\.(?:tsx?|jsx?|[mc]js|json|md|txt|ya?ml|toml|py|rs|go|java|kt|rb|php|c|h|cpp|cs|sh|sql|html?|s?css|csv|pdf|docx?|xlsx?|png|jpe?g|svg|lock|env|xml|ini|cfg|log|exe|zip|wasm)$/i;
/** Names of products that look like file names. */
const NAMES_LIKE_FILES =
  /^(?:next|node|nuxt|vue|react|express|d3|three|ember|backbone|babel|discord|nest|solid|chart|socket)\.js$/i;
const OPENING = /^[("'“‘[@]+/;
const CLOSING: ReadonlySet<string> = new Set(`)"'”’],.:;!?`);
const CODE_CHARACTER = /[\w)\]]\(|\w\[|[{}=<>|\\$%^*@~]|::|->|\w_\w|\w\.\w+\.\w|^--?\w|^#/;
const ERROR_CODE =
  /^\p{Lu}{1,6}[-_]?\d{3,}$|^\p{Lu}[\p{Lu}\d]*_[\p{Lu}\d_]+$|^(?:0x)?[\da-f]{7,}$|\p{Ll}(?:Error|Exception|Warning)$/u;
const SLASHES = /\//g;

/** @param text short enough to be processed as a whole */
export function proseOf(text: string): Prose {
  const quotedCode: Prose['quotedCode'] = [];
  const prose = text
    .replace(CODE_BLOCK, blank)
    .replace(QUOTED_CODE, (quoted, code: string, at: number) => {
      quotedCode.push({ at, text: code });
      return blank(quoted);
    })
    .replace(LINK, blank)
    .replace(TAG, blank)
    .replace(ADDRESS, blank)
    .replace(LINE, line => (isCode(line) ? blank(line) : line))
    .replace(CHUNK, chunk => (isProse(chunk) ? chunk : blank(chunk)));
  return { text: prose, quotedCode };
}

function isCode(line: string): boolean {
  return isStatement(line) || CODE_LINES.some(code => code.test(line));
}

/** Whether a line is a statement: it ends with a semicolon, and contains a bracket or an equals sign. */
function isStatement(line: string): boolean {
  const statement = line.trimEnd();
  return statement.endsWith(';') && /[()=[\]]/.test(statement.split(OTHER_LINE_END).at(-1) ?? '');
}

function withoutEdges(chunk: string): string {
  let end = chunk.length;
  while (end > 0 && CLOSING.has(chunk.charAt(end - 1))) end -= 1;
  return chunk.slice(0, end).replace(OPENING, '');
}

function isProse(chunk: string): boolean {
  if (LETTERS.test(chunk) && NOT_HEXADECIMAL.test(chunk)) return true;
  if (chunk.startsWith('**') || chunk.endsWith('**') || chunk.startsWith('_')) return true;
  const core = withoutEdges(chunk);
  if (core.length > 60) return false;
  if (NAMES_LIKE_FILES.test(core)) return true;
  return !(FILE.test(core) || isPath(core) || CODE_CHARACTER.test(core) || ERROR_CODE.test(core));
}

/** Whether words with a slash are a path: "Anna/Tom" and "and/or" are not paths. */
function isPath(core: string): boolean {
  const slashes = core.match(SLASHES)?.length ?? 0;
  return slashes > 1 || core.startsWith('/') || core.startsWith('./') || core.startsWith('~');
}

function blank(part: string): string {
  return MARK.repeat(part.length);
}
