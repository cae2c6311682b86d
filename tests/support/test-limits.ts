/** The default bounds on input, with short embeddings. */
import { loadConfig } from '../../src/config.js';
import type { InputLimits } from '../../src/domain/input.js';

export function testLimits(changed: Partial<InputLimits> = {}): InputLimits {
  return { ...loadConfig({ VECTOR_SIZE: '4' }).input, ...changed };
}
