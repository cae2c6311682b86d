/** Refuses every operation that writes, before its body is read. */
import type { Hono } from 'hono';
import type { Operation } from '../api/operation.js';
import { readOnlyRefusal } from '../domain/errors.js';

/** Must be registered before the operations. The routes throw MemoryError `forbidden`. */
export function refuseWrites(app: Hono, operations: readonly Operation[]): void {
  for (const { method, path } of operations) {
    if (method === 'GET') continue;
    app.on(method, path, () => {
      throw readOnlyRefusal();
    });
  }
}
