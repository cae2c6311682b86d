/**
 * Prevents an unreachable store or model from adding its time limit to every request. After a call has failed because
 * the store is unreachable, further calls are refused at once until the store has answered a background ping.
 */
import { MemoryError } from './domain/errors.js';
import type { Clock } from './domain/time.js';

/** A store or a model that is reached over a network. */
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
  /** Delays of the first ping and of later pings. By default, those for a store. */
  pings?: PingDelays;
  /** Called when the store becomes unreachable or reachable again. */
  onChange(change: { isReachable: boolean; error?: MemoryError }): void;
}

/** The delay doubles after each failed ping, up to the maximum. */
interface PingDelays {
  firstMs: number;
  maxMs: number;
}

const STORE_PINGS: PingDelays = { firstMs: 50, maxMs: 5_000 };

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

function createCircuit(
  store: RemoteStore,
  { clock, isAway = () => true, pings = STORE_PINGS, onChange }: CircuitBreakerOptions,
) {
  let error: MemoryError | undefined;
  let last = { pingMs: pings.firstMs, closedMs: Number.NEGATIVE_INFINITY };
  let cancelPing = () => {};
  let isStopped = false;

  const later = (delayMs: number) => Math.min(delayMs * 2, pings.maxMs);

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
  const firstPingMs = () => (clock.elapsedMs() - last.closedMs < 2 * last.pingMs ? later(last.pingMs) : pings.firstMs);

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
