/** Refuses every operation that writes, before its body is read. */
import type { Hono } from 'hono';
import type { Operation } from '../api/operation.js';
import { readOnlyRefusal } from '../domain/errors.js';

/** Registers routes that throw MemoryError `forbidden`. They must be registered before the operations. */
export function refuseWrites(app: Hono, operations: readonly Operation[]): void {
  for (const { method, path } of operations) {
    if (method === 'GET') continue;
    app.on(method, path, () => {
      throw readOnlyRefusal();
    });
  }
}
