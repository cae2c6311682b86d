/** Lets each pair of neighbours pass once, however it comes: from both of its ends, or from one. */
import { createRows } from '../rows.js';
import type { Neighbourhood } from './neighbours.js';

/**
 * Takes neighbourhoods in ascending order of their memory, and leaves out of each the neighbours that had this memory among
 * theirs. It keeps four bytes a pair.
 */
export function createPairFilter(): (neighbourhood: Neighbourhood) => Neighbourhood {
  /** For each memory the later ones among its neighbours. */
  const later = createRows();
  return ({ of, neighbours }) => {
    while (later.count < of) later.add([]);
    later.add(neighbours.flatMap(({ to }) => (to > of ? [to] : [])));
    return { of, neighbours: neighbours.filter(({ to }) => to > of || !later.at(to).includes(of)) };
  };
}
