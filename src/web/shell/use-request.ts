/** Loads data for a view, and loads the data again when the inputs of the request change. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './shell.js';

export interface Loaded<Value> {
  /** The last answer. It stays while the next request runs. */
  value?: Value;
  error?: string;
  isLoading: boolean;
}

/** @param inputs a change of one of these values sends a new request; the answer to an older request is dropped */
export function useRequest<Value>(send: () => Promise<Value>, inputs: readonly unknown[]): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ isLoading: true });
  const latest = useRef(0);
  useEffect(() => {
    const current = ++latest.current;
    const settle = (next: Partial<Loaded<Value>>) => {
      if (latest.current === current) setLoaded({ isLoading: false, ...next });
    };
    setLoaded(({ value }) => ({ isLoading: true, ...(value !== undefined && { value }) }));
    send().then(
      value => settle({ value }),
      error => settle({ error: messageOf(error) }),
    );
    return () => {
      latest.current++;
    };
  }, inputs);
  return loaded;
}

/** Returns the value when it has not changed for `delayMs`. Until then it returns the previous value. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
