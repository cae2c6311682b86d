/** `engraph recall`: prints the memories that answer a question. */
import type { RecallAnswer } from '../../client/client.js';
import { isEntityTag } from '../../domain/entity.js';
import { withoutSecrets } from '../../domain/secrets.js';
import { inBlock, onOneLine } from '../../domain/shown-text.js';
import { beginningOf } from '../../domain/text/characters.js';
import { DEGRADED, isDegraded, notesOf, warningsOf } from '../../mcp/recall/notes.js';
import { UsageError } from '../arguments.js';
import type { CommandParts } from '../command.js';
import { withMemoryUnchanged } from '../with-memory.js';

/** The length of the longest name of a type. */
const TYPE_WIDTH = 10;
const INDENT = '    ';
/** Maximum number of characters of a memory that are printed without `--verbose`. */
const SHOWN_LENGTH = 1_000;

type Result = RecallAnswer['results'][number];

/** @returns 0 if a memory was found, otherwise 1 */
export async function runRecall(parts: CommandParts): Promise<number> {
  const { names = [], tag, time, limit, verbose = false, json = false } = parts.options;
  const query = names.join(' ').trim();
  const parameters = {
    ...(query !== '' && { query }),
    ...(tag !== undefined && { tags: tag }),
    ...(time !== undefined && { time_query: time }),
    ...(limit !== undefined && { limit: countOf('--limit', limit) }),
  };
  const answer = await withMemoryUnchanged(parts, memory => memory.recall(parameters));
  if (json) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  else {
    for (const result of answer.results) process.stdout.write(`${withoutSecrets(describe(result, verbose))}\n`);
    // The notes go to stderr, so that stdout has only memories.
    for (const note of notesAbout(answer)) process.stderr.write(`${onOneLine(note)}\n`);
  }
  return answer.results.length > 0 ? 0 : 1;
}

function countOf(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be a whole number of at least 1, but is '${text}'`);
}

/** One line, and more only if the content has several lines, or for details. */
function describe(result: Result, isVerbose: boolean): string {
  const { memory, score, id, superseded_by, not_current, maybe_outdated_by: newer } = result;
  const { timestamp, type, content, importance } = memory;
  const tags = memory.tags.filter(tag => isVerbose || !isEntityTag(tag));
  const shownTags = tags.length === 0 ? '' : `  [${onOneLine(tags.join(', '))}]`;
  const details = [
    ...(isVerbose ? [`id ${id}, score ${score.toFixed(2)}, importance ${importance}`] : []),
    ...(superseded_by === undefined ? [] : [`replaced by ${superseded_by}`]),
    ...(not_current === undefined ? [] : [not_current.replaceAll('_', ' ')]),
    ...(newer === undefined ? [] : [`a newer memory may replace this: ${onOneLine(newer.content)}`]),
  ];
  const shown = isVerbose ? content : beginningOf(content, SHOWN_LENGTH);
  const text = `${inBlock(shown, INDENT)}${shown === content ? '' : '… (--verbose shows the rest)'}`;
  const head = `${timestamp.slice(0, 10)}  ${type.padEnd(TYPE_WIDTH)}  ${text}${shownTags}`;
  return [head, ...details.map(detail => `${INDENT}(${detail})`)].join('\n');
}

function notesAbout(answer: RecallAnswer): string[] {
  const notes = answer.results.length === 0 ? ['Nothing was found', ...notesOf(answer, false)] : warningsOf(answer);
  const degraded = answer.results.length === 0 && isDegraded(answer) ? [DEGRADED] : [];
  const all = [...notes, ...degraded];
  return all.length === 0 ? [] : [`${all.join('; ')}.`];
}
