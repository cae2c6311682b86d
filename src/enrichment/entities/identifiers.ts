/**
 * Classifies names between back-ticks. AutoMem treats every such name as a project, but most are symbols, fields and
 * literals of code. Engraph treats a name that is written `like-this` as a project, because repositories and packages
 * have such names, or as a tool if a cue shows a tool. A known tool, alone or at the start of a command, is a tool. A
 * plain word is a project beside a word such as "repo". A symbol of three words or more is a concept. Shorter symbols
 * are not entities, because they mean something else in every program. Paths, literals and other plain words are not
 * entities either.
 */
import type { FoundName } from './found-name.js';
import { knownAsWritten } from './known-names.js';
import { isOrdinaryWord } from './lists/ordinary-words.js';
import type { Prose } from './prose.js';
import { keyOf } from './tokens.js';

const CUE_DISTANCE = 30;
const SLUG = /^\p{Ll}{2,}(?:-\p{Ll}+)+$/u;
const CODENAME = /^\p{Lu}?\p{Ll}{3,30}$/u;
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

export function identifiers({ text, quotedCode }: Prose): FoundName[] {
  return quotedCode.flatMap(({ at, text: code }) => {
    const end = at + code.length + 2;
    const before = text.slice(Math.max(0, at - CUE_DISTANCE), at);
    const entity = identifierOf(code.trim(), before, text.slice(end, end + CUE_DISTANCE));
    return entity ? [{ ...entity, at, end, isCertain: true }] : [];
  });
}

function identifierOf(code: string, before: string, after: string): Pick<FoundName, 'kind' | 'name'> | undefined {
  const known = knownAsWritten(COMMAND.exec(code)?.[1] ?? code);
  if (known?.kind === 'tools') return { kind: 'tools', name: known.name };
  const isProject = BEFORE_PROJECT.test(before) || AFTER_PROJECT.test(after);
  if (isProject && CODENAME.test(code) && !isOrdinaryWord(keyOf(code))) return { kind: 'projects', name: code };
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
