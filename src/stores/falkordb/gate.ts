/** A bound on what goes on at once; the rest stands in line. */

export interface Gate {
  /** Resolves when it is this one's turn; `leave` then ends it. */
  enter(): Promise<void>;
  leave(): void;
}

/** @param width so many may be inside */
export function createGate(width: number): Gate {
  const line: (() => void)[] = [];
  let inside = 0;
  return {
    enter: () => {
      if (inside < width) {
        inside += 1;
        return Promise.resolve();
      }
      return new Promise(resolve => line.push(resolve));
    },
    leave: () => {
      const next = line.shift();
      if (next) next();
      else inside -= 1;
    },
  };
}
