/** Loads something for a view, and loads it again when its inputs change. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './shell.js';

export interface Loaded<Value> {
  /** The last answer, which stays while the next one is awaited. */
  value?: Value;
  error?: string;
  isLoading: boolean;
}

/** @param inputs the request is sent when one of them changes; an answer that comes too late is dropped */
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

/** The value once it has not changed for a while. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
