/** Sets a header on a finished answer. */
import type { Context } from 'hono';

/**
 * Sets a header on the answer of an earlier handler. `context.header` would copy the answer, and then the server sends
 * its body as a stream, which takes several times as long as sending one text.
 *
 * @throws TypeError for an answer of `fetch`, whose headers cannot be changed
 */
export function setAnswerHeader({ res }: Context, name: string, value: string): void {
  res.headers.set(name, value);
}
