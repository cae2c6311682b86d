/** The size tiers of `store_memory`: long content is stored with a warning, longer content is refused. */
import type { z } from 'zod';
import type { InputLimits } from '../../domain/bounds.js';
import { MemoryError } from '../../domain/errors.js';
import type { ContentTiers } from '../../domain/settings.js';

/**
 * @param index of the item in a batch
 * @throws MemoryError `too_large`
 */
export function refuseOversize(length: number, { hardLimit }: ContentTiers, index?: number): void {
  if (length <= hardLimit) return;
  const which = index === undefined ? 'The content' : `The content of item ${index}`;
  throw new MemoryError('too_large', `${which} has ${length} characters; the limit is ${hardLimit}`, {
    field: 'content',
    ...(index !== undefined && { index }),
    hint: 'Nothing was stored. Split the content into several memories with one fact each.',
  });
}

/** Returns a warning, or undefined when the content is short enough to be recalled well. */
export function sizeWarning(length: number, { softLimit }: ContentTiers): string | undefined {
  if (length <= softLimit) return undefined;
  return `The content has ${length} characters. Contents over ${softLimit} are recalled less well; 150-300 are ideal.`;
}

/** States the limit of the tool in the schema of a content. It is usually lower than the limit of REST. */
export function withLength<Field extends z.ZodType>(
  content: Field,
  { contentMaxLength }: InputLimits,
  hardLimit: number,
): Field {
  return content.meta({ ...content.meta(), maxLength: Math.min(contentMaxLength, hardLimit) });
}
