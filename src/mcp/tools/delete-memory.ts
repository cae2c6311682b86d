/**
 * The tool `delete_memory`: permanently deletes one memory, or, after confirmation, all memories that have any of the
 * given tags.
 */
import { z } from 'zod';
import { flag, memoryId, stringList } from '../../api/fields.js';
import { alreadyRead, lenient, listFromJson, optional, readObject } from '../../api/input.js';
import type { EngraphClient } from '../../client/client.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import { onOneLine, plural } from '../../domain/shown-text.js';
import { beginningOf } from '../../domain/text/characters.js';
import type { Tool } from '../handlers.js';
import { quotedTags } from '../recall/text.js';

/** Reads a text as one tag, even if it contains commas. Only JSON text of a list has several tags. */
function asOneTag(value: unknown): unknown {
  const list = listFromJson(value);
  return typeof list === 'string' ? [list] : list;
}

const input = z.strictObject({
  memory_id: optional(memoryId).describe('Id (UUID) of the memory'),
  tags: optional(lenient(asOneTag, stringList)).describe(
    'Instead of memory_id: every memory with at least one of these exact tags; a comma is part of a tag',
  ),
  confirm: optional(flag).describe('With tags: true deletes'),
});

const output = z.looseObject({
  status: z.string(),
  message: z.string(),
  deleted: z.boolean().describe('false when no memory matched or confirm is missing'),
  memory_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
  deleted_count: z.int().optional(),
  count: z.int().optional().describe('Memories that confirm would delete'),
});

export const deleteMemory: Tool = {
  name: 'delete_memory',
  title: 'Delete memory',
  description:
    'Permanently delete one memory, or every memory that has any of the tags. Use it only when the user asks for it ' +
    'or a memory is plainly wrong; if a fact has merely changed, use update_memory. With tags the first call only ' +
    'reports how many memories match; call again with confirm: true if the user agrees.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  alwaysLoad: false,
  input,
  output,
  async run(args, { memory }) {
    const { memory_id: id, tags = [], confirm = false } = readObject(input, args, 'The arguments');
    if (id !== undefined && tags.length > 0) throw invalidField('tags', 'cannot be combined with memory_id');
    if (id !== undefined) return removeOne(memory, id);
    if (tags.length === 0) throw invalidField('memory_id', 'is required unless tags are given');
    return confirm ? removeTagged(memory, tags) : previewTagged(memory, tags);
  },
};

async function removeOne(memory: EngraphClient, id: string) {
  const deleted = await removeIfPresent(memory, id);
  const message = deleted ? `Memory ${id} deleted.` : `The memory ${id} does not exist; nothing was deleted.`;
  return { text: message, structured: { status: 'success', message, memory_id: id, deleted } };
}

async function removeIfPresent(memory: EngraphClient, id: string): Promise<boolean> {
  try {
    await memory.remove(id);
    return true;
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'not_found') return false;
    throw error;
  }
}

async function removeTagged(memory: EngraphClient, tags: readonly string[]) {
  const { deleted_count } = await memory.removeByTag(tags);
  const message = `Deleted ${plural(deleted_count, 'memory')} tagged ${named(tags)}.`;
  return { text: message, structured: { status: 'success', message, deleted: deleted_count > 0, deleted_count, tags } };
}

const EXAMPLES_MAX = 5;
/** Number of characters shown of each example, enough to recognise a memory. */
const EXAMPLE_LENGTH = 100;

async function previewTagged(memory: EngraphClient, tags: string[]) {
  const page = await memory.listByTag(alreadyRead({ tags, limit: EXAMPLES_MAX, offset: 0, include_total: true }));
  const count = page.total ?? page.count;
  const examples = page.memories.map(({ id, content }) => ({
    memory_id: id,
    content: beginningOf(content, EXAMPLE_LENGTH),
  }));
  const message =
    count === 0
      ? `No memory has the tag ${named(tags)}; nothing was deleted.`
      : `Nothing has been deleted yet. ${plural(count, 'memory')} tagged ${named(tags)} would be deleted permanently: call ` +
        'again with confirm: true if the user agrees.';
  const structured = { status: 'success', message, deleted: false, count, tags, examples };
  return { text: [message, ...exampleLines(examples, count)].join('\n'), structured };
}

function exampleLines(examples: readonly { memory_id: string; content: string }[], count: number): string[] {
  if (count === 0) return [];
  const lines = examples.map(({ memory_id, content }) => `- ${memory_id}: ${onOneLine(content)}`);
  const hidden = count - examples.length;
  return ['', ...lines, ...(hidden > 0 ? [`and ${hidden} more`] : [])];
}

function named(tags: readonly string[]): string {
  return onOneLine(quotedTags(tags));
}
