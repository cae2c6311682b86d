/** The batch form of `store_memory`: stores all memories, or none if one cannot be stored. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { optional, type RawInput } from '../../api/input.js';
import type { NewMemoryRequest } from '../../api/requests/memory.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input-limits.js';
import { isPlainObject } from '../../domain/json.js';
import { plural } from '../../domain/plural.js';
import type { ContentTiers } from '../../domain/settings.js';
import { characterCount } from '../../domain/text/length.js';
import { yieldToEventLoop } from '../../event-loop.js';
import type { ToolContext } from '../tool.js';
import { checkContent } from './check-content.js';
import { describeReplaceable } from './may-replace.js';
import { refuseOversize } from './size-tiers.js';
import { storeSafely } from './store-safely.js';

/** The fields that an item may have. The tool assigns the id. */
const ITEM_FIELDS = ['content', 'type', 'confidence', 'tags', 'importance', 'timestamp', 'metadata'] as const;

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

/** Removes `maxLength` from the schema. The limit of this tool is lower, and is stated in the tool's description. */
export function withoutLength<Field extends z.ZodType>(content: Field): Field {
  return content.meta({ maxLength: undefined });
}

/** @throws MemoryError `invalid` naming the fields that only a single memory can have */
export function refuseBesideBatch(fields: RawInput): void {
  const given = Object.keys(fields).filter(name => fields[name] !== undefined && fields[name] !== null);
  if (given.length === 0) return;
  throw new MemoryError('invalid', `memories cannot be combined with ${given.join(', ')}`, { field: given[0] ?? '' });
}

/** Stores a batch. The items are not parsed here, because the API parses the items of every batch. */
export async function storeBatch(
  given: unknown,
  { memory, content: tiers, limits, reportProgress, allowsCredentials }: ToolContext & { allowsCredentials: boolean },
) {
  const items = itemsOf(given, limits);
  const { contents, credentials } = await checkContents(items, { allowsCredentials, reportProgress });
  const lengths = contents.map(characterCount);
  for (const [position, length] of lengths.entries()) refuseOversize(length, tiers, position);
  // The tool assigns ids, so that a retry of the HTTP request cannot store a memory twice.
  const named = items.map((item, index) => withContent(item, contents[index]));
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
  const structured = { ...answer, message, ...warnings };
  const lines = [describeBatch(message, answer.memory_ids, { ...warnings, tiers })];
  return { text: [...lines, ...describeReplaceable(answer.may_replace)].join('\n'), structured };
}

function itemsOf(given: unknown, { batchMaxSize }: InputLimits): RawInput[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw invalidField('memories', 'must be a non-empty array of memories');
  }
  if (given.length > batchMaxSize) {
    throw new MemoryError('too_large', `memories has ${given.length} items; the limit is ${batchMaxSize}`, {
      field: 'memories',
      hint: 'Nothing was stored. Split the batch.',
    });
  }
  return given.map((item, position) => {
    if (!isPlainObject(item))
      throw invalidField('memories', `must contain objects, but item ${position} is not an object`);
    const unknown = Object.keys(item).find(key => !ITEM_FIELDS.some(name => name === key));
    if (unknown === undefined) return item;
    throw new MemoryError('invalid', `A memory in a batch does not have a parameter '${unknown}' (item ${position})`, {
      field: unknown,
      index: position,
      hint: `Known parameters are ${ITEM_FIELDS.join(', ')}. Nothing was stored.`,
    });
  });
}

/** Adds an id and the checked content. A content that is not text stays unchanged, so that the API refuses it. */
function withContent(item: RawInput, content: string | undefined): NewMemoryRequest & { id: string } {
  const said = typeof item.content === 'string' ? { content } : {};
  return { ...item, ...said, id: randomUUID() } as NewMemoryRequest & { id: string };
}

/** Number of texts checked per turn of the event loop. Checking them takes a few milliseconds. */
const CHECKED_PER_TURN = 10;

interface BatchCheck {
  allowsCredentials: boolean;
  reportProgress: ToolContext['reportProgress'];
}

/**
 * Returns the contents to store, and the kinds of credentials in them. The content is empty for an item whose content
 * is missing or not text. `withContent` does not use this empty content.
 */
async function checkContents(items: readonly RawInput[], { allowsCredentials, reportProgress }: BatchCheck) {
  const contents: string[] = [];
  const credentials: { index: number; kinds: string[] }[] = [];
  for (const [index, item] of items.entries()) {
    if (index % CHECKED_PER_TURN === CHECKED_PER_TURN - 1) {
      await reportProgress?.(index, items.length);
      await yieldToEventLoop();
    }
    const given = typeof item.content === 'string' ? item.content.trim() : '';
    const { content, kinds } = await checkContent(given, { allowsCredentials, index });
    contents.push(content);
    if (kinds.length > 0) credentials.push({ index, kinds });
  }
  return { contents, credentials };
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
