/** How a client is described in the table of clients, and the entry that a description gives. */
import type { JsonObject } from './format.js';
import { variablesIn } from './hook-settings.js';
import type { Launch } from './launch.js';

/**
 * A path with `/`, which begins with a folder: `~` is the home folder, `{config}` and other words are in the table of
 * `targets.ts`, and `{NAME|folder}` is the folder in an environment variable, or else the other folder.
 */
export type PathTemplate = string;

export interface Client {
  /** Name on the command line of `engraph connect`. */
  name: string;
  title: string;
  format: 'json' | 'toml' | 'yaml';
  /**
   * Possible configuration files of this user. The first existing file is used. If no file exists, the first of the
   * list is used.
   */
  files: readonly PathTemplate[];
  /** Possible configuration files of a project, relative to its folder. */
  projectFiles?: readonly string[];
  /**
   * Possible key paths to the servers. The first path that the file contains is used. If the file contains none, the
   * last of the list is used.
   */
  serverPaths: readonly (readonly string[])[];
  entry: EntryForm;
  /** Further folders and files that show that the client is installed. */
  traces: readonly PathTemplate[];
  /** Programs on the PATH that show that the client is installed. */
  programs: readonly string[];
  /** The file of this user's hooks. The client is then in the table of `hook-hosts.ts`. */
  hooksFile?: PathTemplate;
  /** Clients whose hooks this client runs too. */
  hooksOf?: readonly string[];
  /** The file of this user's rules for the model. Set only if no hook of the client can give the model a text. */
  rulesFile?: PathTemplate;
  /** The step that the user must take so that the change takes effect, and where the client shows the server. */
  afterwards: string;
  /** The step after which changed hooks take effect. Absent if it is the same step as `afterwards`. */
  afterHooks?: string;
}

/** The form of a server's entry. By default it has `command`, `args` and `env`. */
export interface EntryForm {
  /** Values that stand before the command. */
  extras?: JsonObject;
  /** Name of the key with the command. */
  command?: string;
  /** Name of the key with the environment variables. */
  env?: string;
  /** Whether the command and its arguments are one list. */
  isOneList?: true;
}

export function entryOf({ entry }: Pick<Client, 'entry'>, { command, args, env }: Launch): JsonObject {
  const { extras, command: commandKey = 'command', env: envKey = 'env', isOneList } = entry;
  return {
    ...extras,
    ...(isOneList ? { [commandKey]: [command, ...args] } : { [commandKey]: command, args }),
    ...(Object.keys(env).length > 0 && { [envKey]: env }),
  };
}

/** Reads the command of an entry in any of the forms that clients use. */
export function launchIn(entry: unknown): Launch | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { command, cmd, args } = entry as Record<string, unknown>;
  const words = [command ?? cmd, args].flat().filter(word => typeof word === 'string');
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  return { command: program, args: rest, env: variablesIn(entry) };
}
