/** Reads the items of a JSON array one by one, so that a file of many conversations takes little memory. */
import { MemoryError } from '../../domain/errors.js';
import { jsonParts } from './json-parts.js';
import { parseJson } from './values.js';

/**
 * Yields the items.
 *
 * @param name name of the file, for messages
 * @throws MemoryError `invalid` for text that is not an array, has an invalid item or was cut off, `too_large` for an
 * item above 64 MiB
 */
export async function* jsonItems(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<unknown> {
  for await (const part of jsonParts(chunks, name)) {
    if ('problem' in part) throw new MemoryError('invalid', `${name}: ${part.place} ${part.problem}`);
    yield parseJson(part.text, name);
  }
}
