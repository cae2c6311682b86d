/**
 * Generates texts that make a regular expression as slow as possible. A text consists of a beginning that leads to a
 * quantifier, a repeated part that the quantifier matches, and an end that makes the match fail.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** The parts of a text. Its length depends on how often the middle part is repeated. */
export interface HostileText {
  before: string;
  repeated: string;
  after: string;
}

export function textOf({ before, repeated, after }: HostileText, length: number): string {
  return before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
}

/** One character of every kind that patterns distinguish. */
const CHARACTERS = [...' aA1.-_,:"\'/(<[{`*#&!=@?;)]\n\t', 'e', 'S', 'ä', 'É', '世', '\u0301'];
const REPEATS_PER_QUANTIFIER = 5;
/** Quantifiers with a smaller maximum are ignored, because they are always fast. */
const MANY = 20;
const ENDS = ['\0', ' a b\0', '\n!'];

/** @returns the distinct hostile texts of a pattern */
export function hostileTexts(pattern: RegExp): HostileText[] {
  const { ignoreCase, unicode } = pattern;
  const ast = new RegExpParser().parsePattern(pattern.source, undefined, undefined, unicode);
  const flags = `${ignoreCase ? 'i' : ''}${unicode ? 'u' : ''}`;
  const letters = [...new Set(lettersOf(ast))];
  const found = new Map<string, HostileText>();
  const add = (text: HostileText) => {
    if (text.repeated !== '') found.set(JSON.stringify(text), text);
  };
  visitRegExpAST(ast, {
    onQuantifierEnter: quantifier => {
      if (quantifier.max < MANY) return;
      const lead = leadingTo(quantifier, flags);
      for (const repeated of repeatsOf(quantifier, letters, flags)) {
        for (const before of new Set(['', lead])) {
          for (const after of ENDS) add({ before, repeated, after });
        }
        add({ before: '', repeated: `${lead}${repeated}`, after: '\0' });
        add({ before: '', repeated: `${repeated}${exampleOf(quantifier.parent, flags)}`, after: '\0' });
      }
    },
  });
  for (const repeated of [...CHARACTERS.slice(0, 5), ...pairsOf(letters)]) add({ before: '', repeated, after: '\0' });
  for (const alternative of ast.alternatives) {
    add({ before: '', repeated: exampleOf(alternative, flags).slice(0, -1), after: '\0' });
  }
  return [...found.values()];
}

/** Texts that the element of a quantifier matches: an example, punctuation in the pattern, and other characters. */
function repeatsOf({ element }: AST.Quantifier, letters: readonly string[], flags: string): string[] {
  const isOne = new RegExp(`^(?:${element.raw})$`, flags);
  const isTaken = (character: string) => isOne.test(character);
  const signs = letters.filter(character => !/[\w ]/.test(character) && isTaken(character));
  const others = spread(CHARACTERS.filter(isTaken), REPEATS_PER_QUANTIFIER);
  return [...new Set([exampleOf(element, flags), ...spread(signs, REPEATS_PER_QUANTIFIER), ...others])];
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as Item);
}

/** Returns at most six pairs of neighbouring characters, spread over the characters of the pattern. */
function pairsOf(letters: readonly string[]): string[] {
  return spread(
    letters.slice(1).map((letter, index) => `${letters[index]}${letter}`),
    6,
  );
}

function lettersOf(node: AST.Node): string[] {
  const letters: string[] = [];
  visitRegExpAST(node, {
    onCharacterEnter: ({ value }) => {
      letters.push(String.fromCodePoint(value));
    },
  });
  return letters;
}

/** A text that matches the part of the pattern before a node, so that matching reaches the node. */
function leadingTo(node: AST.Node, flags: string): string {
  const { parent } = node;
  if (!parent) return '';
  const beside = parent.type === 'Alternative' ? parent.elements : [];
  const before = beside.slice(0, Math.max(0, beside.indexOf(node as AST.Element)));
  return leadingTo(parent, flags) + before.map(each => exampleOf(each, flags)).join('');
}

/** A short text that the node matches exactly or nearly. Lookaheads are ignored. */
function exampleOf(node: AST.Node | null, flags: string): string {
  switch (node?.type) {
    case 'Alternative':
      return node.elements.map(element => exampleOf(element, flags)).join('');
    case 'Group':
    case 'CapturingGroup':
      return exampleOf(node.alternatives[0] ?? null, flags);
    case 'Assertion':
      return node.kind === 'lookbehind' && !node.negate ? exampleOf(node.alternatives[0] ?? null, flags) : '';
    case 'Quantifier':
      return exampleOf(node.element, flags).repeat(Math.max(1, node.min));
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const isIn = new RegExp(node.raw, flags);
      return [...CHARACTERS.slice(1), ' '].find(character => isIn.test(character)) ?? '';
    }
    default:
      return '';
  }
}
