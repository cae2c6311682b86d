/**
 * Reads a file of rules for assistants, such as CLAUDE.md or AGENTS.md: a memory for each bullet, paragraph or block of
 * code, with its headings.
 */
import { isUtf8 } from 'node:buffer';
import { realpath } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { derivedDigest } from '../../domain/derived-ids.js';
import { MemoryError } from '../../domain/errors.js';
import { projectOf } from '../../project/project.js';
import { readBounded } from '../folder.js';
import { type Block, blocksOf } from '../markdown/blocks.js';
import type { Found, Source } from './source.js';

const FILE_MAX_BYTES = 16 * 1_048_576;
const FRONT_MATTER_END = '\n---';
/** A line with only the path of a file that the assistant reads too. */
const FILE_REFERENCE = /^\s*@(?:import\s+)?[^\s@]+\s*$/;
/** A first heading that only repeats the name of the file. */
const FILE_TITLE = /^(?:claude|agents|gemini)\.md$/i;

export async function rulesFile(path: string): Promise<Source> {
  const { modifiedMs } = await readBounded(path, FILE_MAX_BYTES);
  return { name: 'rules-file', modifiedMs, read: () => read(resolve(path)) };
}

async function* read(path: string): AsyncGenerator<Found> {
  const { bytes } = await readBounded(path, FILE_MAX_BYTES);
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
