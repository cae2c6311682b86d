/**
 * The context of every view: the client of the service, notices for the person, the admin token, and requests that are
 * sent again when their inputs change.
 */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Service, Settings } from './service.js';

export interface Notice {
  text: string;
  /** Undoes the change that the notice reports, or repeats an undo that failed. */
  undo?: (() => Promise<void>) | undefined;
}

export interface PageShell {
  service: Service;
  settings: Settings;
  /** Shows a notice until the person closes it or another notice replaces it. */
  notify(notice: Notice): void;
  /**
   * Runs a change. Shows a notice if the change fails.
   *
   * @param again the function that the button `Undo` in that notice calls
   * @returns whether the change succeeded
   */
  attempt(change: () => Promise<void>, again?: () => Promise<void>): Promise<boolean>;
  /** Asks for the admin token if this tab has none. @returns a client with the token, or undefined if declined */
  asAdmin(): Promise<Service | undefined>;
  /** Makes the view load again. */
  refresh(): void;
  /** Increases after every change and with every `refresh`, so that views load again. */
  revision: number;
}

export const ShellContext = createContext<PageShell | undefined>(undefined);

export function useShell(): PageShell {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('useShell must be called inside ShellContext.Provider');
  return shell;
}

export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { details } = error as { details?: unknown };
  return typeof details === 'string' ? `${error.message}. ${details}` : error.message;
}

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
      error => settle({ error: failureMessage(error) }),
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
