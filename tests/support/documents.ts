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
/** The pages for users. */
export const PAGES: readonly string[] = ['README.md', ...DOC_PAGES, 'CONTRIBUTING.md'];

export interface FencedBlock {
  page: string;
  /** Line of the opening fence, counted from 1. */
  line: number;
  language: string;
  /** The reason why the block is not run. Undefined when the block is run. */
  notRun: string | undefined;
  code: string;
  /** Whether only blank lines separate this block from the previous block. */
  isDirectlyAfter: boolean;
}

const FENCE = /^```(\w*)(.*)\n([\s\S]*?)^```$/gm;
const NOT_RUN = /^ not run: (.+)$/;

/** @throws when the text after the language is not a reason for not running the block */
export function fencedBlocks(page: string, markdown: string): FencedBlock[] {
  let end = 0;
  return [...markdown.matchAll(FENCE)].map(({ index, 0: whole, 1: language = '', 2: info = '', 3: code = '' }) => {
    const line = markdown.slice(0, index).split('\n').length;
    const notRun = NOT_RUN.exec(info)?.[1];
    if (info !== '' && notRun === undefined)
      throw new Error(`${page}:${line}: expected ' not run: reason', got '${info}'`);
    const isDirectlyAfter = end > 0 && markdown.slice(end, index).trim() === '';
    end = index + whole.length;
    return { page, line, language, notRun, code, isDirectlyAfter };
  });
}

export function blocksOf(page: string): FencedBlock[] {
  return fencedBlocks(page, readText(page));
}

/** Markdown without its fenced blocks, which are not prose. */
export function proseOf(markdown: string): string {
  return markdown.replace(FENCE, whole => whole.replace(/[^\n]/g, ''));
}
