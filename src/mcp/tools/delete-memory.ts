/** The tool `delete_memory`: removes one memory for good. */
import { z } from 'zod';
import { changeAnswer } from '../../api/answers/memory.js';
import { memoryId } from '../../api/fields.js';
import type { EngraphClient } from '../../client/client.js';
import { EngraphError } from '../../client/engraph-error.js';
import { defineTool } from '../tool.js';

const output = changeAnswer
  .extend({ message: z.string(), deleted: z.boolean().describe('False when there was no such memory') })
  .loose();

export const deleteMemory = () =>
  defineTool({
    name: 'delete_memory',
    title: 'Delete memory',
    description:
      'Delete one memory with its relations and its vector. This cannot be undone: do it when the user asks for it or ' +
      'when the memory is plainly wrong. For what has merely changed use update_memory.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    alwaysLoad: false,
    input: z.strictObject({ memory_id: memoryId.describe('Id (UUID) of the memory') }),
    output,
    async handle({ memory_id: id }, { memory }) {
      const deleted = await removeIfPresent(memory, id);
      const message = deleted ? `Memory ${id} deleted.` : `There is no memory ${id}; nothing was deleted.`;
      return { text: message, structured: { status: 'success', message, memory_id: id, deleted } };
    },
  });

async function removeIfPresent(memory: EngraphClient, id: string): Promise<boolean> {
  try {
    await memory.remove(id);
    return true;
  } catch (error) {
    if (error instanceof EngraphError && error.status === 404) return false;
    throw error;
  }
}
