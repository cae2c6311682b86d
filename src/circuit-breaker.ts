/**
 * Keeps a store that is away from adding its time limit to every request: from the first failure on, calls are refused at
 * once, until the store has answered a ping made beside them.
 */
import { MemoryError } from './domain/errors.js';
import type { Clock } from './domain/time.js';

/** A store behind a network. */
interface RemoteStore {
  readonly description: string;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface CircuitBreakerOptions {
  clock: Clock;
  /** Whether a failure `unavailable` is of the whole store, not of one call that it refused while it serves others. */
  isAway?(failure: MemoryError): boolean;
  /** The methods that fail while the store is away; absent: all. */
  methods?: ReadonlySet<PropertyKey>;
  /** The store has gone, or has come back. */
  onChange(change: { isReachable: boolean; error?: MemoryError }): void;
}

/** Milliseconds before the first ping, which doubles with each that fails. */
const FIRST_PING_MS = 50;
const PING_MAX_MS = 5_000;

/**
 * The same store behind a circuit breaker: its methods also reject with MemoryError `unavailable` while the circuit is open.
 */
export function withCircuitBreaker<Store extends RemoteStore>(store: Store, options: CircuitBreakerOptions): Store {
  const circuit = createCircuit(store, options);
  const guard = (method: (...given: unknown[]) => unknown) => {
    return (...given: unknown[]) => {
      if (circuit.error) return Promise.reject(circuit.error);
      const result = method.apply(store, given);
      return result instanceof Promise ? result.catch(circuit.noteFailure) : result;
    };
  };
  const guarded = new Map<PropertyKey, unknown>();
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (options.methods?.has(name) === false && name !== 'close') return value;
      // An iteration says by itself where it breaks off.
      if (name === 'ids') return value.bind(store);
      if (name === 'close') return () => circuit.stop().then(() => store.close());
      if (!guarded.has(name)) guarded.set(name, guard(value as (...given: unknown[]) => unknown));
      return guarded.get(name);
    },
  });
}

function later(delayMs: number): number {
  return Math.min(delayMs * 2, PING_MAX_MS);
}

function createCircuit(store: RemoteStore, { clock, isAway = () => true, onChange }: CircuitBreakerOptions) {
  let error: MemoryError | undefined;
  let last = { pingMs: FIRST_PING_MS, closedMs: Number.NEGATIVE_INFINITY };
  let cancelPing = () => {};
  let isStopped = false;

  const pingIn = (delayMs: number) => {
    if (isStopped) return;
    cancelPing = clock.schedule(delayMs, () => {
      store.ping().then(
        () => close(delayMs),
        () => pingIn(later(delayMs)),
      );
    });
  };

  const close = (pingMs: number) => {
    if (isStopped) return;
    error = undefined;
    last = { pingMs, closedMs: clock.elapsedMs() };
    onChange({ isReachable: true });
  };

  /** A store that answers pings and fails otherwise must not come and go at the pace of the first ping. */
  const firstPingMs = () => (clock.elapsedMs() - last.closedMs < 2 * last.pingMs ? later(last.pingMs) : FIRST_PING_MS);

  return {
    /** Why the circuit is open; undefined while it is closed. */
    get error() {
      return error;
    },
    noteFailure: (failure: unknown): never => {
      const isOutage = failure instanceof MemoryError && failure.code === 'unavailable' && isAway(failure);
      if (isOutage && !error && !isStopped) {
        error = failure;
        onChange({ isReachable: false, error: failure });
        pingIn(firstPingMs());
      }
      throw failure;
    },
    stop: async () => {
      isStopped = true;
      cancelPing();
    },
  };
}
