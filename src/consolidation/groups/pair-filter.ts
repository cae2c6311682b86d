/** Passes each pair of neighbours once, even if the pair occurs in the neighbourhoods of both memories. */
import { createRows } from '../rows.js';
import type { Neighbourhood } from './neighbours.js';

/**
 * Expects neighbourhoods in ascending order of their memory. From the neighbourhood of a memory, removes each neighbour
 * whose own neighbourhood already contained the memory. The filter keeps four bytes for each pair.
 */
export function createPairFilter(): (neighbourhood: Neighbourhood) => Neighbourhood {
  /** For each memory, its neighbours with a higher position. */
  const later = createRows();
  return ({ of, neighbours }) => {
    while (later.count < of) later.add([]);
    later.add(neighbours.flatMap(({ to }) => (to > of ? [to] : [])));
    return { of, neighbours: neighbours.filter(({ to }) => to > of || !later.at(to).includes(of)) };
  };
}
