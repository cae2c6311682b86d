/**
 * Resolves commas in tags. A tag may contain a comma, but in a query string a comma also separates tags, so a text can
 * be read in two ways (docs/decisions.md, "Tags and commas").
 */
import { MemoryError } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import type { RawInput } from './input.js';

const TAG_PARAMETERS = ['tags', 'exclude_tags', 'context_tags'] as const;

/** Returns the query. A tag parameter that contains commas becomes one tag if its whole text equals a stored tag. */
export async function withWholeTags(engine: Engine, query: RawInput): Promise<RawInput> {
  const whole: Record<string, unknown> = {};
  for (const name of TAG_PARAMETERS) {
    const text = query[name];
    if (isDivisible(text) && (await isTag(engine, text))) whole[name] = [text];
  }
  return Object.keys(whole).length === 0 ? query : { ...query, ...whole };
}

/**
 * Like `withWholeTags`, for requests that cannot be undone.
 *
 * @throws MemoryError `invalid` when the whole text is a stored tag and a part of it between commas is a stored tag too
 */
export async function withCertainTags(engine: Engine, query: RawInput): Promise<RawInput> {
  const read = await withWholeTags(engine, query);
  const { tags: text } = query;
  if (!isDivisible(text) || !Array.isArray(read.tags)) return read;
  const parts = text.split(',').map(part => part.trim());
  for (const part of parts) {
    if (part === '' || !(await isTag(engine, part))) continue;
    throw new MemoryError(
      'invalid',
      `'tags' can be read as the one tag '${text}' or as the tags ${parts.join(' and ')}`,
      {
        field: 'tags',
        hint: "Nothing was deleted. Repeat 'tags' for every tag. To send one tag with commas, add an empty 'tags'.",
      },
    );
  }
  return read;
}

function isDivisible(value: unknown): value is string {
  return typeof value === 'string' && value.includes(',');
}

async function isTag(engine: Engine, text: string): Promise<boolean> {
  const { memories } = await engine.listByTag({ tags: [text], limit: 1, offset: 0 });
  return memories.length > 0;
}
