/** The tool `store_memory`: stores one memory, or several, within the size tiers of the specification. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type StoreAnswer, storeAnswer, storeManyAnswer } from '../../api/answers/memory.js';
import { content } from '../../api/fields.js';
import { isGiven, listIn, optional, readObject } from '../../api/input.js';
import { memoryToStore, toNewMemory } from '../../api/requests/memory.js';
import { invalidField } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input-limits.js';
import { shownMetadata } from '../../domain/metadata.js';
import type { ContentTiers } from '../../domain/settings.js';
import { characterCount } from '../../domain/text/length.js';
import type { Tool, ToolContext } from '../tool.js';
import { allowCredentials, checkContent, credentialWarning } from './check-content.js';
import { describeReplaceable } from './may-replace.js';
import { refuseOversize, sizeWarning, withLength } from './size-tiers.js';
import { batchFields, batchWarnings, refuseBesideBatch, storeBatch } from './store-batch.js';
import { storeSafely } from './store-safely.js';

/** The output for one memory and for a batch. Some fields belong to only one of the two. */
const output = z.looseObject({
  message: z.string(),
  ...storeAnswer
    .pick({ status: true, memory_id: true, type: true, confidence: true, enrichment: true, embedding: true })
    .partial().shape,
  ...storeAnswer.pick({ summarized: true, original_length: true, summarized_length: true }).shape,
  ...storeManyAnswer.pick({ stored: true, memory_ids: true }).partial().shape,
  may_replace: storeManyAnswer.shape.may_replace.or(storeAnswer.shape.may_replace),
  size_warning: z.string().optional(),
  content_length: z
    .int()
    .optional()
    .describe('Length in characters, if the content is so long that it is recalled less well'),
  credential_warning: z.string().optional(),
  ...batchWarnings,
});

export function storeMemory(limits: InputLimits, { hardLimit }: ContentTiers): Tool {
  const input = memoryToStore(limits)
    .strict()
    .extend({
      content: optional(withLength(content(limits.contentMaxLength), limits, hardLimit)).describe(
        'What to remember, in full sentences that stand alone; 150-300 characters are ideal. Required unless memories are given',
      ),
      allow_credentials: allowCredentials,
      ...batchFields(limits, hardLimit),
    });
  return {
    name: 'store_memory',
    title: 'Store memory',
    description:
      'Store a fact that later conversations will need: a decision and its reason, a preference, a correction, a ' +
      'pattern, the cause of a bug and its fix. One fact per memory, 150-300 characters, with tags and importance; ' +
      'several at once in memories. Content over 500 characters is stored with a warning; over 2,000 it is rejected ' +
      "(limits are configurable), so split it. Recall first: if a known fact has changed, give the old memory's id " +
      'as supersedes_memory_id, which keeps the history, or use update_memory. The answer names older memories that ' +
      'the new one may replace (may_replace). Never store secrets.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    alwaysLoad: true,
    input,
    output,
    async run(args, context) {
      const { memories, ...fields } = args;
      const items = listIn(memories);
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

async function storeOne(
  { allow_credentials: allowsCredentials, ...given }: Single,
  { memory, content: tiers }: ToolContext,
) {
  const { content, kinds } = await checkContent(given.content, { allowsCredentials });
  const args = { ...given, content };
  const length = characterCount(content);
  refuseOversize(length, tiers);
  // The tool assigns the id, so that a repeated call cannot store the memory twice.
  const id = args.id ?? randomUUID();
  toNewMemory(args);
  const retry = `The memory may or may not have been stored; try again with id "${id}", which cannot store it twice.`;
  const answer = await storeSafely(() => memory.store({ ...args, id }), retry);
  const tooLong = sizeWarning(length, tiers);
  const warnings = {
    ...(tooLong !== undefined && { size_warning: tooLong, content_length: length }),
    ...(kinds.length > 0 && { credential_warning: credentialWarning(kinds) }),
  };
  const structured = {
    ...answer,
    ...shownMetadata(answer.metadata),
    message: MESSAGE,
    // The field is for AutoMem clients. Engraph creates the edge in the write that stores the memory.
    ...(answer.superseded_memory_id !== undefined && { association_created: true }),
    ...warnings,
  };
  return { text: describeStored(answer, [warnings.size_warning, warnings.credential_warning]), structured };
}

function describeStored(answer: StoreAnswer, warnings: readonly (string | undefined)[]): string {
  const lines = [
    MESSAGE,
    '',
    `Memory ID: ${answer.memory_id}`,
    `Type: ${answer.type} (confidence ${answer.confidence})`,
  ];
  if (answer.superseded_memory_id) lines.push(`Replaces: ${answer.superseded_memory_id}`);
  if (answer.summarized) {
    const { original_length: from, summarized_length: to } = answer;
    lines.push(`Shortened from ${from} to ${to} characters; the original is kept in metadata.original_content.`);
  }
  for (const warning of warnings) if (warning !== undefined) lines.push(`Warning: ${warning}`);
  return [...lines, ...describeReplaceable(answer.may_replace, answer.memory_id)].join('\n');
}
