/** Keeps the highest scores in a heap whose root is the lowest score. */
export interface Nearest {
  /** Maximum number of scores. */
  readonly limit: number;
  /** Only a score above this value may be added. */
  readonly leastScore: number;
  add(row: number, score: number): void;
  /** Returns the scores in descending order, and equal scores in ascending order of their rows. */
  sorted(): { row: number; score: number }[];
}

/** @param least scores of this value or less are never needed */
export function createNearest(limit: number, least = Number.NEGATIVE_INFINITY): Nearest {
  const scores = new Float64Array(limit);
  const rows = new Float64Array(limit);
  let size = 0;

  const place = (position: number, row: number, score: number) => {
    rows[position] = row;
    scores[position] = score;
  };
  const at = (position: number) => scores[position] ?? 0;

  /** Appends a score to the heap, and moves it up past all greater scores. */
  const rise = (row: number, score: number) => {
    let position = size++;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (at(parent) <= score) break;
      place(position, rows[parent] ?? 0, at(parent));
      position = parent;
    }
    place(position, row, score);
  };

  /** Replaces the root with a score, and moves the score down past all lesser scores. */
  const sink = (row: number, score: number) => {
    let position = 0;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= size) break;
      if (child + 1 < size && at(child + 1) < at(child)) child += 1;
      if (at(child) >= score) break;
      place(position, rows[child] ?? 0, at(child));
      position = child;
    }
    place(position, row, score);
  };

  return {
    limit,
    get leastScore() {
      return size < limit ? least : at(0);
    },
    add: (row, score) => (size < limit ? rise(row, score) : sink(row, score)),
    sorted: () =>
      Array.from({ length: size }, (_, index) => ({ row: rows[index] ?? 0, score: at(index) })).sort(
        (a, b) => b.score - a.score || a.row - b.row,
      ),
  };
}
