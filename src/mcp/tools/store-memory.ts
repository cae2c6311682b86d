/** The tool `store_memory`: keeps one memory, within the size tiers of the specification. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type StoreAnswer, storeAnswer } from '../../api/answers/memory.js';
import { memoryToStore, type StoreRequest, toNewMemory } from '../../api/requests/memory.js';
import type { EngraphClient } from '../../client/client.js';
import { EngraphError } from '../../client/engraph-error.js';
import { MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input-limits.js';
import { shownMetadata } from '../../domain/metadata.js';
import type { ContentTiers } from '../../domain/settings.js';
import { characterCount } from '../../domain/text.js';
import { defineTool } from '../tool.js';

const output = storeAnswer
  .pick({ status: true, memory_id: true, type: true, confidence: true, enrichment: true, embedding: true })
  .extend({
    ...storeAnswer.pick({ summarized: true, original_length: true, summarized_length: true }).shape,
    message: z.string(),
    size_warning: z.string().optional(),
    content_length: z.int().optional().describe('Length of a content that recalls less well, in characters'),
  })
  .loose();

export const storeMemory = (limits: InputLimits) =>
  defineTool({
    name: 'store_memory',
    title: 'Store memory',
    description:
      'Keep something worth knowing in later conversations: a decision and its reason, a preference, a correction, a ' +
      'pattern, the cause of a bug and its fix. One fact in one memory, 150-300 characters, with tags and importance. ' +
      'Content over 500 characters is stored with a warning; over 2,000 it is rejected (limits are configurable), so ' +
      'split it. Recall first: if a known fact has changed, name the old memory in supersedes_memory_id, which keeps the ' +
      'history, or use update_memory. Never store secrets.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    alwaysLoad: true,
    input: memoryToStore(limits).strict(),
    output,
    async handle(args, { memory, content: tiers }) {
      const length = characterCount(args.content);
      refuseOversize(length, tiers);
      // With an id of our own a repeated call is a replay and cannot store the memory twice (decisions D7).
      const id = args.id ?? randomUUID();
      toNewMemory(args);
      const answer = await storeSafely(memory, { ...args, id });
      const size = sizeWarning(length, tiers);
      const structured = { ...answer, ...shownMetadata(answer.metadata), message: MESSAGE, ...size };
      return { text: describeStored(answer, size?.size_warning), structured };
    },
  });

const MESSAGE = 'Memory stored.';

function refuseOversize(length: number, { hardLimit }: ContentTiers): void {
  if (length <= hardLimit) return;
  throw new MemoryError('too_large', `The content has ${length} characters; the limit is ${hardLimit}`, {
    field: 'content',
    hint: 'Nothing was stored. Split it into several memories of one fact each.',
  });
}

function sizeWarning(length: number, { softLimit }: ContentTiers) {
  if (length <= softLimit) return undefined;
  return {
    size_warning: `The content has ${length} characters, more than the ${softLimit} that recall well; 150-300 are ideal.`,
    content_length: length,
  };
}

async function storeSafely(memory: EngraphClient, request: StoreRequest & { id: string }): Promise<StoreAnswer> {
  try {
    return await memory.store(request);
  } catch (error) {
    if (!(error instanceof EngraphError) || (error.status !== undefined && error.status !== 503)) throw error;
    const retry = `It may not have been stored; try again with id "${request.id}", which cannot store it twice.`;
    throw new MemoryError('unavailable', error.message, {
      hint: error.details === undefined ? retry : `${error.details} ${retry}`,
      cause: error,
    });
  }
}

function describeStored(answer: StoreAnswer, warning: string | undefined): string {
  const lines = [
    MESSAGE,
    '',
    `Memory ID: ${answer.memory_id}`,
    `Type: ${answer.type} (confidence ${answer.confidence})`,
  ];
  if (answer.superseded_memory_id) lines.push(`Takes the place of: ${answer.superseded_memory_id}`);
  if (answer.summarized) {
    const { original_length: from, summarized_length: to } = answer;
    lines.push(`Shortened from ${from} to ${to} characters; the original is kept in metadata.original_content.`);
  }
  if (warning !== undefined) lines.push(`Warning: ${warning}`);
  return lines.join('\n');
}
