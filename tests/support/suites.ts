/** Which tests run together, and how long one may take. */

/** Real processes that are killed, starved or left alone. */
export const DURABILITY = 'tests/durability/**/*.test.ts';
/** Longer than the default of vitest: other programs may be busy on the machine. */
export const TEST_TIMEOUT_MS = 15_000;
