/** Runs the writes of this process to the same vector one after the other, so that the last write wins. */

/** Starts a write when all earlier writes to any of its ids have ended, successful or not. */
export type Turns = <T>(ids: readonly string[], write: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (ids, write) => {
    const earlier = new Set(ids.flatMap(id => last.get(id) ?? []));
    const turn = Promise.allSettled(earlier).then(write);
    for (const id of ids) last.set(id, turn);
    try {
      return await turn;
    } finally {
      for (const id of ids) if (last.get(id) === turn) last.delete(id);
    }
  };
}
