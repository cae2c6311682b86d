/**
 * Reads a file of rules for assistants, such as CLAUDE.md or AGENTS.md: a memory for each bullet, paragraph or block of
 * code, with its headings. These are the smallest parts that are understood alone.
 */
import { isUtf8 } from 'node:buffer';
import { realpath } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { derivedDigest } from '../../domain/derived-ids.js';
import { MemoryError } from '../../domain/errors.js';
import { projectOf } from '../../project/project.js';
import { readBounded } from '../files.js';
import type { Found } from './source.js';

const FRONT_MATTER_END = '\n---';
/** A line with only the path of a file that the assistant reads too. */
const FILE_REFERENCE = /^\s*@(?:import\s+)?[^\s@]+\s*$/;
/** A first heading that only repeats the name of the file. */
const FILE_TITLE = /^(?:claude|agents|gemini)\.md$/i;

export async function* rulesFile(path: string): AsyncGenerator<Found> {
  const { bytes } = await readBounded(path);
  if (!isUtf8(bytes)) throw new MemoryError('invalid', `${path} is not text in UTF-8`);
  const whole = await realpath(path);
  const { root, name } = (await projectOf(dirname(whole))) ?? {};
  const file = root === undefined ? basename(path) : relative(root, whole).split(sep).join('/');
  // The folder of a file outside of all repositories may be any folder, such as the one for downloads.
  const project = root === undefined ? undefined : name;
  for (const block of blocksOf(withoutFrontMatter(bytes.toString('utf8')))) {
    yield foundIn(block, { file, project });
  }
}

function foundIn(
  { headings, text, line }: Block,
  { file, project }: { file: string; project?: string | undefined },
): Found {
  const place = `line ${line}`;
  if (text.split('\n').every(line => FILE_REFERENCE.test(line))) {
    return {
      kind: 'rules',
      place,
      problem: 'only names another file, which can be imported by itself',
      severity: 'expected',
    };
  }
  if (text === '') return { kind: 'rules', place, problem: 'has no text', severity: 'expected' };
  const above = headings.filter(heading => !FILE_TITLE.test(heading)).join(' > ');
  const separator = text.includes('\n') ? ':\n' : ': ';
  return {
    kind: 'rules',
    key: `${project ?? ''}/${file}#${derivedDigest([above, text.replaceAll(/\s+/g, ' ')])}`,
    place,
    content: above === '' ? text : `${above}${separator}${text}`,
    tags: project === undefined ? [] : [`project:${project}`],
    metadata: { file },
  };
}

/** Replaces front matter by empty lines, so that the numbers of the lines stay the same. */
function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, '');
  if (!/^---[ \t]*\r?\n/.test(plain)) return plain;
  const end = plain.indexOf(FRONT_MATTER_END, 3);
  if (end < 0) return plain;
  const front = plain.slice(0, end + FRONT_MATTER_END.length);
  return front.replaceAll(/[^\n]/g, '') + plain.slice(front.length);
}

interface Block {
  /** The headings above the block, from the highest. */
  headings: string[];
  text: string;
  /** Line at which the block begins, from 1. */
  line: number;
}

interface OpenBlock extends Block {
  kind: 'bullet' | 'steps' | 'text' | 'code';
  /** Number of blanks before the first line. */
  indent: number;
  /** Whether an empty line follows the text. */
  isPaused: boolean;
}

/** The level of a line that is entirely bold and serves as a heading. */
const BOLD_LEVEL = 7;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const BOLD_LINE = /^\*\*([^*]+)\*\*:?\s*$/;
const UNDERLINE = /^ {0,3}(=+|-{2,})\s*$/;
/** A line without its blanks that separates sections. */
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const BULLET = /^ {0,3}[-*+][ \t]+/;
const STEP = /^ {0,3}\d{1,3}[.)][ \t]+/;

/**
 * A bullet keeps its nested bullets, and numbered steps stay together. Code belongs to the text before it. A paragraph
 * that ends with a colon introduces the bullets after it, and becomes their last heading.
 */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split(/\r\n|\r|\n/);
  const comments = createComments(lines);
  const blocks: OpenBlock[] = [];
  const headings: { level: number; text: string }[] = [];
  let open: OpenBlock | undefined;
  let fence: string | undefined;
  const begin = (kind: OpenBlock['kind'], text: string, index: number) => {
    const indent = indentOf(lines[index] ?? '');
    open = { kind, text, indent, line: index + 1, headings: headings.map(each => each.text), isPaused: false };
    blocks.push(open);
  };
  const continueWith = (text: string) => {
    if (!open) return;
    open.text += `${open.isPaused ? '\n\n' : '\n'}${text}`;
    open.isPaused = false;
  };
  const head = (level: number, text: string) => {
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
    headings.push({ level, text: text.trim() });
    open = undefined;
  };
  for (const [index, whole] of lines.entries()) {
    const line = fence === undefined ? comments.withoutComments(whole, index) : whole;
    if (line.trim() === '' && whole.trim() !== '') continue;
    const marker = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      continueWith(line);
      if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
    } else if (marker !== undefined) {
      fence = marker;
      if (open) continueWith(line);
      else begin('code', line, index);
    } else if (line.trim() === '') {
      if (open) open.isPaused = true;
    } else {
      const heading = headingIn(line);
      if (heading) head(heading.level, heading.text);
      else if (UNDERLINE.test(line) && open?.kind === 'text' && !open.isPaused && !open.text.includes('\n')) {
        blocks.pop();
        head(line.includes('=') ? 1 : 2, open.text);
      } else if (RULE.test(line.replaceAll(/\s/g, ''))) open = undefined;
      else if (open && isNested(open, line)) continueWith(line);
      else if (BULLET.test(line)) begin('bullet', line.replace(BULLET, ''), index);
      else if (STEP.test(line) && open?.kind !== 'steps') begin('steps', line, index);
      else if (open && continues(open, line)) continueWith(line);
      else begin('text', line, index);
    }
  }
  return withIntroductions(blocks);
}

function headingIn(line: string): { level: number; text: string } | undefined {
  const [, marks, text] = HEADING.exec(line) ?? [];
  if (marks !== undefined && text !== undefined) return { level: marks.length, text: withoutClosingMarks(text) };
  const bold = BOLD_LINE.exec(line)?.[1];
  return bold === undefined ? undefined : { level: BOLD_LEVEL, text: bold };
}

/** Whether a line belongs to a bullet or step because it is indented more. */
function isNested({ kind, indent }: OpenBlock, line: string): boolean {
  return (kind === 'bullet' || kind === 'steps') && indentOf(line) >= indent + 2;
}

function indentOf(line: string): number {
  const blanks = line.slice(0, line.length - line.trimStart().length);
  return blanks.replaceAll('\t', '    ').length;
}

/** Whether a line that begins nothing of its own belongs to the block before it. */
function continues({ kind, isPaused }: OpenBlock, line: string): boolean {
  if (!isPaused) return true;
  return kind === 'steps' && STEP.test(line);
}

function withIntroductions(blocks: readonly OpenBlock[]): Block[] {
  let introduction: OpenBlock | undefined;
  return blocks.flatMap((block, index) => {
    const { kind, line } = block;
    const next = blocks[index + 1];
    const isSameSection = next?.headings.join('\n') === block.headings.join('\n');
    if (kind === 'text' && block.text.trimEnd().endsWith(':') && next?.kind === 'bullet' && isSameSection) {
      introduction = block;
      return [];
    }
    if (kind !== 'bullet') introduction = undefined;
    const isIntroduced = introduction?.headings.join('\n') === block.headings.join('\n');
    const above = introduction && isIntroduced ? [introduction.text.trim().replace(/:$/, '')] : [];
    return [{ headings: [...block.headings, ...above], text: block.text.trim(), line }];
  });
}

function withoutClosingMarks(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  return end < trimmed.length && /[ \t]$/.test(trimmed.slice(0, end)) ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** Removes HTML comments, which may extend over several lines. A comment without an end is text. */
function createComments(lines: readonly string[]) {
  const lastEnd = lines.findLastIndex(line => line.includes('-->'));
  let isInside = false;
  const withoutComments = (line: string, index: number): string => {
    const lastEndInLine = line.lastIndexOf('-->');
    let kept = '';
    let at = 0;
    let quotes = 0;
    while (at < line.length) {
      const next = line.indexOf(isInside ? '-->' : '<!--', at);
      if (isInside) {
        if (next < 0) return kept;
        isInside = false;
        at = next + 3;
        continue;
      }
      const before = next < 0 ? line.slice(at) : line.slice(at, next);
      kept += before;
      if (next < 0) return kept;
      quotes += before.split('`').length - 1;
      const hasEnd = index < lastEnd || next < lastEndInLine;
      isInside = hasEnd && quotes % 2 === 0;
      if (!isInside) kept += '<!--';
      at = next + 4;
    }
    return kept;
  };
  return { withoutComments };
}
