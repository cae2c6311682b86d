/** The batch form of `store_memory`: stores all memories, or none if one cannot be stored. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { alreadyRead, isGiven, optional, readObject } from '../../api/input.js';
import { type NewMemoryRequest, newMemory } from '../../api/memory-requests.js';
import { atIndex, invalidField, MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input.js';
import type { ContentTiers } from '../../domain/settings.js';
import { plural, repeatsInjection } from '../../domain/shown-text.js';
import { characterCount } from '../../domain/text/characters.js';
import { inSteps } from '../../event-loop.js';
import type { ToolContext } from '../tool.js';
import {
  checkCredentials,
  describeReplaceable,
  REPETITION_WARNING,
  refuseOversize,
  storeSafely,
  withProjectTag,
} from './writing.js';

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

export function batchFields(limits: InputLimits) {
  return {
    memories: optional(z.array(listedItem).min(1).max(limits.batchMaxSize)).describe(
      `1 to ${limits.batchMaxSize} memories with the fields above, instead of them; all are stored, or none`,
    ),
  };
}

/** @throws MemoryError `invalid` naming the fields that only a single memory can have */
export function refuseBesideBatch(fields: object): void {
  const given = Object.entries(fields).flatMap(([name, value]) => (isGiven(value) ? [name] : []));
  if (given.length === 0) return;
  throw new MemoryError('invalid', `memories cannot be combined with ${given.join(', ')}`, { field: given[0] ?? '' });
}

/** Stores a batch. */
export async function storeBatch(given: unknown, context: ToolContext & { allowsCredentials: boolean }) {
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
