/** Long work on the thread that answers requests lets them in between two of its steps. */

/** Resolves when what was waiting has had its turn. */
export { setImmediate as letOthersIn } from 'node:timers/promises';
