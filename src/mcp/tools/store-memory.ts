/** The tool `store_memory`: stores one memory, or several, within the size tiers of the specification. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { content } from '../../api/fields.js';
import { alreadyRead, isGiven, listIn, optional, readObject } from '../../api/input.js';
import type { StoreAnswer } from '../../api/memories.js';
import { memoryToStore, toNewMemory } from '../../api/memory-requests.js';
import { invalidField } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input.js';
import type { ContentTiers } from '../../domain/settings.js';
import { repeatsInjection } from '../../domain/shown-text.js';
import { characterCount } from '../../domain/text/characters.js';
import type { Tool, ToolContext } from '../tool.js';
import { batchFields, refuseBesideBatch, storeBatch } from './store-batch.js';
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
