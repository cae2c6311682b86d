/** The tool `update_memory`: changes some fields of one memory. */

import { z } from 'zod';
import { memoryId } from '../../api/fields.js';
import { alreadyRead, readObject } from '../../api/input.js';
import { memoryPatch, toMemoryPatch } from '../../api/memory-requests.js';
import { MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input.js';
import type { ContentTiers } from '../../domain/settings.js';
import { repeatsInjection } from '../../domain/shown-text.js';
import { characterCount } from '../../domain/text/characters.js';
import type { Tool } from '../handlers.js';
import {
  allowCredentials,
  checkCredentials,
  credentialWarning,
  describeReplaceable,
  REPETITION_WARNING,
  refuseOversize,
  replaceableOutput,
  sizeWarning,
  withLength,
  withSource,
} from './writing.js';

const output = z.looseObject({
  status: z.string(),
  memory_id: z.string(),
  message: z.string(),
  may_replace: replaceableOutput,
});

export function updateMemory(limits: InputLimits, { hardLimit }: ContentTiers): Tool {
  const patch = memoryPatch(limits);
  const input = patch
    .extend({
      content: withLength(patch.shape.content, limits, hardLimit),
      metadata: withSource(patch.shape.metadata),
      memory_id: memoryId.describe('Id (UUID) of the memory'),
      allow_credentials: allowCredentials,
    })
    .strict();
  return {
    name: 'update_memory',
    title: 'Update memory',
    description:
      'Correct or complete a memory, instead of storing a second one that contradicts it. Omitted fields stay as they ' +
      'are; only a type that was derived is derived again from new content.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    alwaysLoad: false,
    input,
    unlisted: ['confidence', 'updated_at', 'last_accessed'],
    output,
    async run(args, { memory, content: tiers }) {
      const { memory_id, allow_credentials: allowsCredentials, ...fields } = readObject(input, args, 'The arguments');
      if (Object.keys(toMemoryPatch(fields)).length === 0) {
        throw new MemoryError('invalid', 'No change was given', { hint: 'Give at least one field besides memory_id.' });
      }
      const kinds = await checkCredentials(fields, { allowsCredentials });
      const { content = '' } = fields;
      const length = characterCount(content);
      refuseOversize(length, tiers);
      const answer = await memory.update(memory_id, alreadyRead(fields));
      const message = `Memory ${answer.memory_id} updated.`;
      const size = sizeWarning(length, tiers);
      const warnings = {
        ...(size !== undefined && { size_warning: size }),
        ...(kinds.length > 0 && { credential_warning: credentialWarning(kinds) }),
        ...(repeatsInjection(content) && { repetition_warning: REPETITION_WARNING }),
      };
      const lines = [
        message,
        ...Object.values(warnings).map(warning => `Warning: ${warning}`),
        ...describeReplaceable(answer.may_replace, answer.memory_id),
      ];
      return { text: lines.join('\n'), structured: { ...answer, message, ...warnings } };
    },
  };
}
