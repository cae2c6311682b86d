/** The context of every view: the client of the service, notices for the person, and the admin token. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Service } from './service.js';
import type { Settings } from './settings.js';

export interface Notice {
  text: string;
  /** Undoes the change that the notice reports, or repeats an undo that failed. */
  undo?: (() => Promise<void>) | undefined;
}

export interface Shell {
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

export const ShellContext = createContext<Shell | undefined>(undefined);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('useShell must be called inside ShellContext.Provider');
  return shell;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { details } = error as { details?: unknown };
  return typeof details === 'string' ? `${error.message}. ${details}` : error.message;
}
