/** Requests and their answers, as the service gave them: made by `npm run build:examples`. */
import type { Example } from './operation.js';

export const EXAMPLES: readonly Example[] = [];
