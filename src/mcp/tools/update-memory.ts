/** The tool `update_memory`: changes some fields of one memory. */
import { z } from 'zod';
import { renderChange } from '../../api/render/memory.js';
import { MemoryError } from '../../domain/errors.js';
import { parseMemoryPatch } from '../../domain/memory.js';
import { parseMemoryId } from '../../domain/memory-input.js';
import { memoryFields, memoryId, optionally, removableValidityFields } from '../input-fields.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  memory_id: memoryId,
  content: optionally(z.string()).describe('Takes the place of the present content'),
  ...memoryFields,
  ...removableValidityFields,
  tags: memoryFields.tags.describe('Takes the place of all present tags'),
  metadata: memoryFields.metadata.describe('Merged into the present metadata key by key; null removes a key'),
});

const output = z.looseObject({ status: z.literal('success'), message: z.string(), memory_id: z.string() });

export const updateMemory = defineTool({
  name: 'update_memory',
  title: 'Update memory',
  description:
    'Correct or complete a memory when what it says has changed, instead of storing a second one that contradicts it. ' +
    'Only the fields given change; content and tags are replaced, metadata is merged.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  alwaysLoad: false,
  input,
  output,
  async handle({ memory_id, ...fields }, { engine }) {
    const id = parseMemoryId(memory_id);
    const patch = parseMemoryPatch(fields, engine.limits);
    if (Object.keys(patch).length === 0) {
      throw new MemoryError('invalid', 'No change was given', { hint: 'Name at least one field beside memory_id.' });
    }
    const answer = renderChange((await engine.update(id, patch)).id);
    const message = `Memory ${answer.memory_id} updated.`;
    return { text: message, structured: { ...answer, message } };
  },
});
