/** Extracts the prose of a text. Code, paths, addresses and markup are replaced by a character that ends a name. */

export interface Prose {
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
