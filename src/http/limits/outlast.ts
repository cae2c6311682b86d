/** Marks requests whose work continues after the response has begun, such as calls that are answered on a stream. */
import type { Context } from 'hono';

const outlasting = new WeakMap<Context, Promise<void>>();

/** @param settled resolves when the work is done, and never rejects */
export function outlast(context: Context, settled: Promise<void>): void {
  outlasting.set(context, settled);
}

/**
 * Returns a promise that resolves when the work for a request is done. Returns undefined if the work ended with the
 * response.
 */
export function outlastingWork(context: Context): Promise<void> | undefined {
  return outlasting.get(context);
}
