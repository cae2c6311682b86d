/** The tool `delete_memory`: removes one memory for good. */
import { z } from 'zod';
import { changeAnswer } from '../../api/answers/memory.js';
import { memoryId } from '../../api/fields.js';
import { MemoryError } from '../../domain/errors.js';
import type { Engine } from '../../engine/engine.js';
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
    async handle({ memory_id: id }, { engine }) {
      const deleted = await removeIfPresent(engine, id);
      const message = deleted ? `Memory ${id} deleted.` : `There is no memory ${id}; nothing was deleted.`;
      return { text: message, structured: { status: 'success', message, memory_id: id, deleted } };
    },
  });

async function removeIfPresent(engine: Engine, id: string): Promise<boolean> {
  try {
    await engine.remove(id);
    return true;
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'not_found') return false;
    throw error;
  }
}
