/** What every view can use: the service, messages to the person, and the admin token. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Service } from './service.js';
import type { Settings } from './settings.js';

export interface Notice {
  text: string;
  /** Takes back what the notice tells. */
  undo?: (() => Promise<void>) | undefined;
}

export interface Shell {
  service: Service;
  settings: Settings;
  /** Shows a notice until it is closed or the next one comes. */
  notify(notice: Notice): void;
  /**
   * Runs a change, and shows its failure.
   *
   * @param again offered beside the failure
   * @returns whether it succeeded
   */
  attempt(change: () => Promise<void>, again?: () => Promise<void>): Promise<boolean>;
  /** Asks for the admin token where this tab has none. @returns the service with it; undefined when the person declines */
  asAdmin(): Promise<Service | undefined>;
  /** Makes the view load again. */
  refresh(): void;
  /** Rises with every change of the memory, so that views load again. */
  revision: number;
}

export const ShellContext = createContext<Shell | undefined>(undefined);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('A view stands outside of the page');
  return shell;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { details } = error as { details?: unknown };
  return typeof details === 'string' ? `${error.message}. ${details}` : error.message;
}
