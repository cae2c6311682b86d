/** The tool `store_memory`: stores one memory, or several, within the size tiers of the specification. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { content } from '../../api/fields.js';
import { alreadyRead, isGiven, listFromJson, optional, readObject } from '../../api/input.js';
import type { StoreAnswer } from '../../api/memories.js';
import { memoryToStore, type NewMemoryRequest, newMemory, toNewMemory } from '../../api/memory-requests.js';
import { atIndex, invalidField, MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input.js';
import type { ContentTiers } from '../../domain/settings.js';
import { plural, repeatsInjection } from '../../domain/shown-text.js';
import { characterCount } from '../../domain/text/characters.js';
import { inSteps } from '../../event-loop.js';
import type { Tool, ToolContext } from '../handlers.js';
import {
  allowCredentials,
  checkCredentials,
  credentialWarning,
  describeReplaceable,
  REPETITION_WARNING,
  refuseOversize,
  replaceableOutput,
  sizeWarning,
  storeSafely,
  withLength,
  withProjectTag,
  withSource,
} from './writing.js';

/** The output for one memory and for a batch. Some fields belong to only one of the two. */
const output = z.looseObject({
  message: z.string(),
  memory_id: z.string().optional(),
  type: z.string().optional(),
  confidence: z.number().optional(),
  enrichment: z.string(),
  embedding: z.string().optional(),
  memory_ids: z.array(z.string()).optional(),
  stored: z.int().optional(),
  may_replace: replaceableOutput,
});

export function storeMemory(limits: InputLimits, { hardLimit }: ContentTiers): Tool {
  const memory = memoryToStore(limits);
  const input = memory.strict().extend({
    metadata: withSource(memory.shape.metadata),
    content: optional(withLength(content(limits.contentMaxLength), limits, hardLimit)).describe(
      'What to remember, in sentences that stand alone; required unless memories are given',
    ),
    allow_credentials: allowCredentials,
    ...batchFields(limits),
  });
  return {
    name: 'store_memory',
    title: 'Store memory',
    description:
      'Store a fact that later conversations will need: a decision and its reason, a preference, a correction, a ' +
      'pattern, the cause of a bug and its fix. One fact per memory, 150-300 characters (over 500 a warning, over ' +
      '2,000 an error, unless configured otherwise), with tags and importance. Recall first: if a known fact has ' +
      "changed, give the old memory's id as supersedes_memory_id. The answer names older memories that the new one " +
      'may replace (may_replace). Never store secrets.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    alwaysLoad: true,
    input,
    unlisted: ['confidence', 'updated_at', 'last_accessed', 'embedding', 'id', 'supersede_reason'],
    output,
    async run(args, context) {
      const { memories, ...fields } = args;
      const items = listFromJson(memories);
      const given = readObject(input, fields, 'The arguments');
      if (!isGiven(items)) return storeOne(single(given), context);
      const { allow_credentials: allowsCredentials = false, ...beside } = given;
      refuseBesideBatch(beside);
      return storeBatch(items, { ...context, allowsCredentials: allowsCredentials === true });
    },
  };
}

type Single = Parameters<typeof toNewMemory>[0] & { allow_credentials?: boolean | undefined };

function single(given: object & { content?: unknown }): Single {
  if (given.content === undefined) throw invalidField('content', 'is required unless memories are given');
  return given as Single;
}

const MESSAGE = 'Memory stored.';

async function storeOne({ allow_credentials: allowsCredentials, ...given }: Single, context: ToolContext) {
  const { memory, content: tiers } = context;
  const kinds = await checkCredentials(given, { allowsCredentials });
  const length = characterCount(given.content);
  refuseOversize(length, tiers);
  toNewMemory(given);
  const { memories, addedTag } = await withProjectTag([given], context);
  const [args = given] = memories;
  // The tool assigns the id, so that a repeated call cannot store the memory twice.
  const id = args.id ?? randomUUID();
  const retry = `The memory may or may not have been stored; try again with id "${id}", which cannot store it twice.`;
  const answer = await storeSafely(() => memory.store(alreadyRead({ ...args, id })), retry);
  const tooLong = sizeWarning(length, tiers);
  const warnings = {
    ...(tooLong !== undefined && { size_warning: tooLong, content_length: length }),
    ...(kinds.length > 0 && { credential_warning: credentialWarning(kinds) }),
    ...(repeatsInjection(args.content) && { repetition_warning: REPETITION_WARNING }),
  };
  const structured = {
    ...factsOf(answer),
    message: MESSAGE,
    ...(addedTag !== undefined && { added_tag: addedTag }),
    ...warnings,
  };
  return {
    text: describeStored({ ...answer, addedTag }, [
      warnings.size_warning,
      warnings.credential_warning,
      warnings.repetition_warning,
    ]),
    structured,
  };
}

/** The fields of the specification, and those that say what else the call has done or may have to do. */
function factsOf(answer: StoreAnswer) {
  const { status, memory_id, type, confidence, enrichment, embedding, may_replace, superseded_memory_id } = answer;
  const { summarized, original_length, summarized_length } = answer;
  return {
    ...{ status, memory_id, type, confidence, enrichment, embedding },
    ...(summarized && { summarized, original_length, summarized_length }),
    // `association_created` is for AutoMem clients. Engraph creates the edge in the write that stores the memory.
    ...(superseded_memory_id !== undefined && { superseded_memory_id, association_created: true }),
    ...(may_replace && { may_replace }),
  };
}

function describeStored(
  answer: StoreAnswer & { addedTag: string | undefined },
  warnings: readonly (string | undefined)[],
): string {
  const lines = [
    MESSAGE,
    '',
    `Memory ID: ${answer.memory_id}`,
    `Type: ${answer.type} (confidence ${answer.confidence})`,
  ];
  if (answer.addedTag !== undefined) lines.push(`Tag added: ${answer.addedTag}`);
  if (answer.superseded_memory_id) lines.push(`Replaces: ${answer.superseded_memory_id}`);
  if (answer.summarized) {
    const { original_length: from, summarized_length: to } = answer;
    lines.push(`Shortened from ${from} to ${to} characters; the original is kept in metadata.original_content.`);
  }
  for (const warning of warnings) if (warning !== undefined) lines.push(`Warning: ${warning}`);
  return [...lines, ...describeReplaceable(answer.may_replace, answer.memory_id)].join('\n');
}

/** The fields that an item may have. The tool assigns the id. */
function itemSchema(limits: InputLimits) {
  const { content, type, confidence, tags, importance, timestamp, metadata } = newMemory(limits).shape;
  return z.strictObject({ content, type, confidence, tags, importance, timestamp, metadata });
}

/** The fields of an item that are listed. They are described where the same fields of a single memory are. */
const listedItem = z.looseObject({
  content: z.string(),
  type: z.string().optional(),
  tags: z.array(z.string()).optional(),
  importance: z.number().optional(),
  timestamp: z.string().optional(),
});

function batchFields(limits: InputLimits) {
  return {
    memories: optional(z.array(listedItem).min(1).max(limits.batchMaxSize)).describe(
      `1 to ${limits.batchMaxSize} memories with the fields above, instead of them; all are stored, or none`,
    ),
  };
}

/** @throws MemoryError `invalid` naming the fields that only a single memory can have */
function refuseBesideBatch(fields: object): void {
  const given = Object.entries(fields).flatMap(([name, value]) => (isGiven(value) ? [name] : []));
  if (given.length === 0) return;
  throw new MemoryError('invalid', `memories cannot be combined with ${given.join(', ')}`, { field: given[0] ?? '' });
}

/** Stores a batch. */
async function storeBatch(given: unknown, context: ToolContext & { allowsCredentials: boolean }) {
  const { memory, content: tiers, limits, reportProgress, allowsCredentials } = context;
  const items = itemsOf(given, limits);
  const { memories, credentials } = await readItems(items, { limits, allowsCredentials, reportProgress });
  const contents = memories.map(({ content }) => content);
  const lengths = contents.map(characterCount);
  for (const [position, length] of lengths.entries()) refuseOversize(length, tiers, position);
  // The tool assigns ids, so that a retry of the HTTP request cannot store a memory twice.
  const { memories: tagged, addedTag } = await withProjectTag(memories, context);
  const named = tagged.map(item => alreadyRead({ ...item, id: randomUUID() }));
  const answer = await storeSafely(
    () => memory.storeMany(named),
    'The memories may or may not have been stored; recall one of them to find out.',
  );
  await reportProgress?.(items.length, items.length);
  const message = `Stored ${plural(answer.stored, 'memory')}.`;
  const warnings = {
    ...sizeWarnings(lengths, tiers),
    ...(credentials.length > 0 && { credential_warnings: credentials }),
  };
  const structured = { ...answer, message, ...(addedTag !== undefined && { added_tag: addedTag }), ...warnings };
  const lines = [describeBatch(message, answer.memory_ids, { ...warnings, tiers })];
  if (addedTag !== undefined) lines.push(`Tag added where no project was named: ${addedTag}`);
  const repeating = contents.flatMap((content, index) => (repeatsInjection(content) ? [`item ${index}`] : []));
  if (repeating.length > 0) lines.push(`Warning: ${repeating.join(', ')}: ${REPETITION_WARNING}`);
  return { text: [...lines, ...describeReplaceable(answer.may_replace)].join('\n'), structured };
}

function itemsOf(given: unknown, { batchMaxSize }: InputLimits): unknown[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw invalidField('memories', 'must be a non-empty array of memories');
  }
  if (given.length > batchMaxSize) {
    throw new MemoryError('too_large', `memories has ${given.length} items; the limit is ${batchMaxSize}`, {
      field: 'memories',
      hint: 'Nothing was stored. Split the batch.',
    });
  }
  return given;
}

/** Number of items that are read between two reports of progress. */
const ITEMS_PER_REPORT = 10;

interface BatchCheck {
  limits: InputLimits;
  allowsCredentials: boolean;
  reportProgress: ToolContext['reportProgress'];
}

/** Returns the memories to store, and the kinds of credentials in their contents. */
async function readItems(items: readonly unknown[], { limits, allowsCredentials, reportProgress }: BatchCheck) {
  const schema = itemSchema(limits);
  const memories: NewMemoryRequest[] = [];
  const credentials: { index: number; kinds: string[] }[] = [];
  for await (const [index, item] of inSteps(items.entries())) {
    if (index % ITEMS_PER_REPORT === ITEMS_PER_REPORT - 1) await reportProgress?.(index, items.length);
    const memory = readItem(schema, item, index);
    const kinds = await checkCredentials(memory, { allowsCredentials, index });
    memories.push(memory);
    if (kinds.length > 0) credentials.push({ index, kinds });
  }
  return { memories, credentials };
}

function readItem(schema: ReturnType<typeof itemSchema>, item: unknown, index: number): NewMemoryRequest {
  try {
    return readObject(schema, item, 'A memory');
  } catch (error) {
    throw atIndex(index, error);
  }
}

function sizeWarnings(lengths: readonly number[], { softLimit }: ContentTiers) {
  const tooLong = lengths.flatMap((length, position) =>
    length > softLimit ? [{ index: position, content_length: length }] : [],
  );
  return tooLong.length > 0 ? { size_warnings: tooLong } : {};
}

const SHOWN_IDS_MAX = 10;

interface Warnings {
  size_warnings?: { index: number; content_length: number }[];
  credential_warnings?: { index: number; kinds: string[] }[];
  tiers: ContentTiers;
}

function describeBatch(message: string, ids: readonly string[], { tiers, ...warnings }: Warnings): string {
  const hidden = ids.length - SHOWN_IDS_MAX;
  const lines = [
    message,
    '',
    `IDs: ${ids.slice(0, SHOWN_IDS_MAX).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`,
  ];
  const { size_warnings: tooLong = [], credential_warnings: credentials = [] } = warnings;
  if (tooLong.length > 0) {
    const which = tooLong.map(each => `item ${each.index} (${each.content_length})`).join(', ');
    lines.push(`Warning: these exceed ${tiers.softLimit} characters, so recall is worse: ${which}. 150-300 are ideal.`);
  }
  if (credentials.length > 0) {
    const which = credentials.map(each => `item ${each.index} (${each.kinds.join(', ')})`).join(', ');
    lines.push(
      `Warning: these seem to contain a credential: ${which}. Everybody who recalls them can read it: delete them ` +
        'and store them again without the secret. update_memory keeps the former version in the history.',
    );
  }
  return lines.join('\n');
}
