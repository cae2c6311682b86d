/** The resources `memory://tag/{tag}`: the most important memories with one tag. */
import { presentPage } from '../recall/present.js';
import { PLAIN_VIEW, plainText } from './plain-text.js';
import type { ResourceTemplate } from './resource.js';

const LIMIT = 50;

export const memoriesByTag: ResourceTemplate = {
  base: 'memory://tag/',
  parameter: 'tag',
  name: 'tag',
  title: 'Memories of a tag',
  description: `The most important memories with this tag, at most ${LIMIT}.`,
  async read(tag, { memory, shown }) {
    if (tag === '') return undefined;
    const page = await memory.listByTag({ tags: [tag], limit: LIMIT });
    shown.note(page.memories);
    return plainText(presentPage(page, PLAIN_VIEW));
  },
  complete: (beginning, shown) => shown.tagsFrom(beginning),
};
