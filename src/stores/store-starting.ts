import { MemoryError } from '../domain/errors.js';

/**
 * Means that a store cannot answer yet, because it still reads its data. A caller treats it like any other failure
 * `unavailable`, but it does not count as a failure of the store.
 */
export class StoreStarting extends MemoryError {}
