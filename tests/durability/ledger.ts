/**
 * Records the acknowledged state of each memory, and the state that the memory may have after an unacknowledged
 * request.
 */

/** The compared fields of a memory, as text. Undefined if the memory does not exist. */
export type State = string | undefined;

interface Entry {
  acknowledged: State;
  /** The state that the memory has if a request was carried out but not acknowledged. */
  unacknowledged?: { state: State; request: number };
}

export interface Ledger {
  /** Records a request before it is sent. The returned function records its acknowledgement. */
  begin(changes: ReadonlyMap<string, State>): () => void;
  /**
   * Compares the ledger with the stored state after a crash. It is an error if an acknowledged request was not carried
   * out, or if another request was carried out only in part. The stored state then counts as acknowledged.
   *
   * @returns one sentence for each error
   */
  settle(actual: ReadonlyMap<string, string>): string[];
  /** Ids of the memories that exist. */
  live(): string[];
  /** Ids that requests have affected since the last comparison. */
  touched(): string[];
  readonly acknowledgedRequests: number;
  readonly lostRequests: number;
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  let touched = new Set<string>();
  let requests = 0;
  let acknowledgedRequests = 0;
  let lostRequests = 0;

  const begin = (changes: ReadonlyMap<string, State>) => {
    const request = ++requests;
    for (const [id, state] of changes) {
      entries.set(id, { acknowledged: entries.get(id)?.acknowledged, unacknowledged: { state, request } });
      touched.add(id);
    }
    return () => {
      acknowledgedRequests++;
      for (const [id, state] of changes) entries.set(id, { acknowledged: state });
    };
  };

  const settle = (actual: ReadonlyMap<string, string>) => {
    const wrong = [...actual.keys()].filter(id => !entries.has(id)).map(id => `${id} was never sent`);
    const isDone = new Map<number, boolean>();
    for (const [id, { acknowledged, unacknowledged }] of entries) {
      const state = actual.get(id);
      if (unacknowledged) {
        const { request } = unacknowledged;
        const isThisDone = state === unacknowledged.state;
        if (isDone.has(request) && isDone.get(request) !== isThisDone) wrong.push(`${id}: half of a batch was done`);
        isDone.set(request, isThisDone);
      }
      if (state !== acknowledged && !(unacknowledged && state === unacknowledged.state)) {
        wrong.push(`${id} is ${state ?? 'absent'} but was acknowledged as ${acknowledged ?? 'absent'}`);
      }
      entries.set(id, { acknowledged: state });
    }
    lostRequests += isDone.size;
    touched = new Set();
    return wrong;
  };

  return {
    begin,
    settle,
    live: () => [...entries].filter(([, { acknowledged }]) => acknowledged !== undefined).map(([id]) => id),
    touched: () => [...touched],
    get acknowledgedRequests() {
      return acknowledgedRequests;
    },
    get lostRequests() {
      return lostRequests;
    },
  };
}
