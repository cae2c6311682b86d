/** The tool `update_memory`: changes some fields of one memory. */
import { z } from 'zod';
import { changeAnswer } from '../../api/answers/memory.js';
import { memoryId } from '../../api/fields.js';
import { type RawInput, readObject } from '../../api/input.js';
import { memoryPatch, toMemoryPatch } from '../../api/requests/memory.js';
import { MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input-limits.js';
import type { Tool } from '../tool.js';

const output = changeAnswer.extend({ message: z.string() }).loose();

/** Where null removes something, instead of saying that nothing was given. */
const REMOVABLE: readonly string[] = ['t_valid', 't_invalid'];

export function updateMemory(limits: InputLimits): Tool {
  const input = memoryPatch(limits)
    .extend({ memory_id: memoryId.describe('Id (UUID) of the memory') })
    .strict();
  return {
    name: 'update_memory',
    title: 'Update memory',
    description:
      'Correct or complete a memory when what it says has changed, instead of storing a second one that contradicts it. ' +
      'Every field that is left out stays as it is, but for updated_at, which becomes now, and a type that Engraph had ' +
      'found in the content, which it finds again in new content.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    alwaysLoad: false,
    input,
    output,
    async run(args, { memory }) {
      const { memory_id, ...fields } = readObject(input, withoutNulls(args), 'The arguments');
      if (Object.keys(toMemoryPatch(fields)).length === 0) {
        throw new MemoryError('invalid', 'No change was given', { hint: 'Name at least one field beside memory_id.' });
      }
      const answer = await memory.update(memory_id, fields);
      const message = `Memory ${answer.memory_id} updated.`;
      return { text: message, structured: { ...answer, message } };
    },
  };
}

/** Models that must fill in every field send null for those they leave out. */
function withoutNulls(args: RawInput): RawInput {
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== null || REMOVABLE.includes(name)));
}
