/** Reads the pages of the documentation and the code examples in them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readText } from './source-code.js';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

/** Every page under docs, relative to the root of the project. */
export const DOC_PAGES: readonly string[] = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.md'))
  .map(path => `docs/${path.replaceAll('\\', '/')}`)
  .sort();
/** The pages that tests compare with the code, and whose examples the tests run. */
export const PAGES: readonly string[] = ['README.md', ...DOC_PAGES, 'CONTRIBUTING.md'];

export interface FencedBlock {
  page: string;
  /** Line of the opening fence, counted from 1. */
  line: number;
  language: string;
  /** The reason why the block is not run. Undefined when the block is run. */
  notRun: string | undefined;
  code: string;
  /** Commands that a test runs before the code. Readers of the page do not see them. */
  before: string;
  /** Whether only blank lines separate this block from the previous block. */
  isDirectlyAfter: boolean;
}

const FENCE = /^```(\w*)(.*)\n([\s\S]*?)^```$/gm;
const COMMENT = /<!--[\s\S]*?-->/g;
/** The comment before a block that no test runs. */
const NOT_RUN = /<!-- Not run by a test: ([^\n]+) -->\n$/;
/** The comment before a block, with commands that a test runs first. */
const BEFORE = /<!-- A test first runs:\n([\s\S]*?)-->\n$/;

/** @throws if text follows the language of a fence */
export function fencedBlocks(page: string, markdown: string): FencedBlock[] {
  let end = 0;
  return [...markdown.matchAll(FENCE)].map(({ index, 0: whole, 1: language = '', 2: info = '', 3: code = '' }) => {
    const line = markdown.slice(0, index).split('\n').length;
    if (info !== '') throw new Error(`${page}:${line}: expected nothing after the language, got '${info}'`);
    const between = markdown.slice(end, index);
    const notRun = NOT_RUN.exec(between)?.[1];
    const before = BEFORE.exec(between)?.[1] ?? '';
    const isDirectlyAfter = end > 0 && between.replace(COMMENT, '').trim() === '';
    end = index + whole.length;
    return { page, line, language, notRun, code, before, isDirectlyAfter };
  });
}

export function blocksOf(page: string): FencedBlock[] {
  return fencedBlocks(page, readText(page));
}

/** Markdown without its fenced blocks and comments, which are not prose. */
export function proseOf(markdown: string): string {
  const blank = (whole: string) => whole.replace(/[^\n]/g, '');
  return markdown.replace(FENCE, blank).replace(COMMENT, blank);
}
