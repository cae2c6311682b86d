/** Sets headers on finished answers. */
import type { Context } from 'hono';

/**
 * Sets a header on an answer that a later handler has made. `context.header` would copy the answer. The server sends a
 * copy as a stream, and a stream takes several times as long as one text.
 *
 * @throws TypeError if the answer comes from `fetch`, because its headers cannot be changed
 */
export function setAnswerHeader({ res }: Context, name: string, value: string): void {
  res.headers.set(name, value);
}
