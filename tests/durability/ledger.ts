/** What a service has promised: the state of each memory as it was acknowledged, and what may have become of it since. */

/** What of a memory is compared, as text; undefined when it is not there. */
export type State = string | undefined;

interface Entry {
  acknowledged: State;
  /** What a request made of it that was sent and not acknowledged: done or not. */
  unacknowledged?: { state: State; request: number };
}

export interface Ledger {
  /** Notes a request before it is sent; the returned function notes that it was acknowledged. */
  begin(changes: ReadonlyMap<string, State>): () => void;
  /**
   * Compares with what is there after a crash: everything acknowledged as it was acknowledged, a request that was not
   * done as a whole or not at all. What is there then counts as acknowledged.
   *
   * @returns what is wrong, one sentence each
   */
  settle(actual: ReadonlyMap<string, string>): string[];
  /** Ids of the memories that are there. */
  live(): string[];
  /** Ids that requests have touched since the last settling. */
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
