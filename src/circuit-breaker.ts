/**
 * Prevents an unreachable store from adding its time limit to every request. After a call has failed because the store
 * is unreachable, further calls are refused at once until the store has answered a background ping.
 */
import { MemoryError } from './domain/errors.js';
import type { Clock } from './domain/time.js';

/** A store that is reached over a network. */
interface RemoteStore {
  readonly description: string;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface CircuitBreakerOptions {
  clock: Clock;
  /** Whether a failure `unavailable` means that the whole store is unreachable, and not only that one call failed. */
  isAway?(failure: MemoryError): boolean;
  /** The methods that fail while the store is away. Undefined means all methods. */
  methods?: ReadonlySet<PropertyKey>;
  /** Called when the store becomes unreachable or reachable again. */
  onChange(change: { isReachable: boolean; error?: MemoryError }): void;
}

/** Delay before the first ping. It doubles after each failed ping. */
const FIRST_PING_MS = 50;
const PING_MAX_MS = 5_000;

/**
 * Returns the store behind a circuit breaker. The methods of the store also reject with MemoryError `unavailable` while
 * the circuit is open.
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
      // Leave `ids` unguarded: its result is an iterator, which reports a failure when the caller reads from it.
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

  /**
   * Returns the delay of the first ping, which is longer soon after a recovery. Otherwise a store that answers pings
   * but fails other calls would open and close the circuit at the rate of the first ping.
   */
  const firstPingMs = () => (clock.elapsedMs() - last.closedMs < 2 * last.pingMs ? later(last.pingMs) : FIRST_PING_MS);

  return {
    /** The error that opened the circuit. Undefined while the circuit is closed. */
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
