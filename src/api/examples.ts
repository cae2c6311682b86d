/** Recorded requests and answers of the service. `npm run build:examples` writes the files of the folder `examples`. */
import { EXAMPLES as consolidation } from './examples/consolidation.js';
import { EXAMPLES as hooks } from './examples/hooks.js';
import { EXAMPLES as memories } from './examples/memories.js';
import { EXAMPLES as recall } from './examples/recall.js';
import { EXAMPLES as relations } from './examples/relations.js';
import { EXAMPLES as service } from './examples/service.js';
import type { Example } from './operation.js';

export const EXAMPLES: readonly Example[] = [
  ...memories,
  ...recall,
  ...relations,
  ...consolidation,
  ...hooks,
  ...service,
];
