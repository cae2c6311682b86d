/** `engraph recall` prints the memories that answer a question, and `engraph store` stores a memory. */
import type { RecallAnswer, StoreAnswer, StoreRequest } from '../../client/client.js';
import type { Config } from '../../config.js';
import { credentialsInRecord } from '../../credentials.js';
import { isEntityTag } from '../../domain/entity.js';
import { MemoryError } from '../../domain/errors.js';
import { withoutSecrets } from '../../domain/secrets.js';
import { inBlock, onOneLine } from '../../domain/shown-text.js';
import { projectKeysOf, projectTag } from '../../domain/tags.js';
import { beginningOf } from '../../domain/text/characters.js';
import { DEGRADED, isDegraded, notesOf, warningsOf } from '../../mcp/recall/notes.js';
import { projectOf } from '../../project/project.js';
import { type CommandOptions, UsageError } from '../arguments.js';
import { type CommandParts, say } from '../command.js';
import { withMemory, withMemoryUnchanged } from '../with-memory.js';

/** The length of the longest name of a type. */
const TYPE_WIDTH = 10;
const INDENT = '    ';
/** Maximum number of characters of a memory that are printed without `--verbose`. */
const SHOWN_LENGTH = 1_000;

type Result = RecallAnswer['results'][number];

/** @returns 0 if a memory was found, otherwise 1 */
export async function runRecallCommand(parts: CommandParts): Promise<number> {
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

const STDIN = '-';

/**
 * @returns 0
 * @throws UsageError and MemoryError `invalid` for a text or an option that cannot be stored
 */
export async function runStore(parts: CommandParts): Promise<number> {
  const { options, config } = parts;
  const content = await readContent(options.names ?? [], config);
  const request = await withProject(toRequest(content, options));
  if (!options.allowCredentials) await refuseCredentials(request);
  const answer = await withMemory(parts, memory => memory.store(request));
  if (options.json) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  else for (const line of describeStored(answer)) say(line);
  return 0;
}

async function readContent(words: readonly string[], { input, bodyLimitBytes }: Config): Promise<string> {
  const isPiped = words.length === 1 && words[0] === STDIN;
  const content = isPiped ? await readStdin(bodyLimitBytes) : words.join(' ');
  const source = isPiped ? 'stdin' : 'The text';
  if (content.trim() === '') throw new MemoryError('invalid', `${source} is empty, so nothing was stored`);
  if (content.length <= input.contentMaxLength) return content;
  const limit = `${source} has ${content.length} characters, and a memory may have ${input.contentMaxLength}`;
  throw new MemoryError('invalid', limit, { hint: 'Store one fact in one memory.' });
}

async function readStdin(maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of process.stdin) {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) throw new MemoryError('invalid', `stdin has more than ${maxBytes} bytes`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)).trimEnd();
  } catch (cause) {
    throw new MemoryError('invalid', 'stdin is not a text in UTF-8, so nothing was stored', { cause });
  }
}

function toRequest(content: string, { tag, type, importance, supersedes }: CommandOptions): StoreRequest {
  return {
    content,
    ...(tag !== undefined && { tags: tag }),
    // The service reads the type, and names the types if this is none of them.
    ...(type !== undefined && { type: type as NonNullable<StoreRequest['type']> }),
    ...(importance !== undefined && { importance: shareOf('--importance', importance) }),
    ...(supersedes !== undefined && { supersedes_memory_id: supersedes }),
  };
}

/** Adds the tag of the project whose repository contains this folder, unless the memory has a tag of a project. */
async function withProject(request: StoreRequest): Promise<StoreRequest> {
  const tags = [request.tags ?? []].flat();
  if (projectKeysOf(tags).length > 0) return request;
  const project = await projectOf(process.cwd());
  return project?.root === undefined ? request : { ...request, tags: [...tags, projectTag(project.name)] };
}

function shareOf(name: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`${name} must be a number from 0 to 1, but is '${text}'`);
}

async function refuseCredentials({ content, tags }: StoreRequest): Promise<void> {
  const [found] = await credentialsInRecord({ content, tags });
  if (found === undefined) return;
  const place = found.field === 'tags' ? 'A tag' : 'The text';
  throw new MemoryError('invalid', `${place} seems to contain a credential (${found.kinds.join(', ')})`, {
    hint: 'Nothing was stored, because everybody who recalls a memory can read it. Say instead where the secret is kept, or add --allow-credentials.',
  });
}

function describeStored(answer: StoreAnswer): string[] {
  const tags = answer.tags.filter(tag => !isEntityTag(tag));
  const { memory_id, type, superseded_memory_id, may_replace = [] } = answer;
  const tagged = tags.length === 0 ? '' : `, with ${tags.length === 1 ? 'the tag' : 'the tags'} ${tags.join(', ')}`;
  return [
    `Stored ${memory_id} as ${type}${tagged}.`,
    ...(superseded_memory_id === undefined ? [] : [`It replaces ${superseded_memory_id}.`]),
    ...(answer.summarized
      ? [
          `The text was too long: it was shortened from ${answer.original_length} to ${answer.summarized_length} characters.`,
        ]
      : []),
    ...may_replace.map(each => `It may replace ${each.memory_id}: "${each.content}" (${each.why}).`),
    ...(may_replace.length === 0 ? [] : ["'engraph view' shows both, and lets you decide."]),
  ];
}
