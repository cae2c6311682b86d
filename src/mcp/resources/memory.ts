/** The resources `memory://{id}`: one memory in full. */
import { MemoryError } from '../../domain/errors.js';
import { presentFetched } from '../recall/present.js';
import { PLAIN_VIEW, plainText } from './plain-text.js';
import type { ResourceTemplate } from './resource.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const memoryById: ResourceTemplate = {
  base: 'memory://',
  parameter: 'id',
  name: 'memory',
  title: 'One memory',
  description: 'One memory in full, by its id, with its relations.',
  async read(id, { memory, shown }) {
    if (!UUID.test(id)) return undefined;
    try {
      const answer = await memory.get(id);
      shown.note([answer]);
      return plainText(presentFetched(id, answer, PLAIN_VIEW));
    } catch (error) {
      if (error instanceof MemoryError && error.code === 'not_found') return undefined;
      throw error;
    }
  },
  complete: (beginning, shown) => shown.idsFrom(beginning),
};
