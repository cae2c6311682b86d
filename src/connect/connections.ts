/**
 * Stores the list of all entries that `connect` wrote, so that `--remove` can undo exactly these entries. The list is
 * in the user's data folder, at the same place for every shell and client.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../domain/errors.js';
import { fixedDataDir } from '../memory-place.js';
import type { Environment } from '../setting-reader.js';
import { readConfigFile, removeConfigFile, replaceConfigFile } from './config-file.js';
import { ConnectError, isJsonObject, type Piece } from './format.js';
import type { FormatName } from './formats.js';

/** The entries that were written into one file. */
export interface WrittenEntries {
  /** Name of the client. */
  client: string;
  file: string;
  /** Whether the file belongs to a project instead of the user. */
  isForProject: boolean;
  format: FormatName;
  /** Path of the copy that was made before the change; absent if there was no file, or if `isAdopted` is set. */
  backup?: string;
  /** Set if the file already had our entries when it was listed. Its former content is then unknown. */
  isAdopted?: true;
  /** Folders that were created for the file. */
  folders: readonly string[];
  pieces: readonly Piece[];
}

interface Content {
  version: 1;
  /** Folders that were created for the list itself. */
  folders: readonly string[];
  connections: readonly WrittenEntries[];
}

/** The list belongs to the user, not to one data folder. */
export function openConnections(environment: Environment): WrittenEntryList {
  return new WrittenEntryList(join(fixedDataDir(environment), 'connections.json'));
}

export class WrittenEntryList {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async all(): Promise<readonly WrittenEntries[]> {
    return (await this.#read()).connections;
  }

  async of(file: string): Promise<WrittenEntries | undefined> {
    return connectionOf(await this.#read(), file);
  }

  /** Replaces the connection of a file. If the connection is undefined, deletes the file from the list. */
  async put(file: string, connection: WrittenEntries | undefined): Promise<void> {
    const before = await this.#read();
    if (isDeepStrictEqual(connection, connectionOf(before, file))) return;
    const others = before.connections.filter(each => each.file !== file);
    const connections = connection === undefined ? others : [...others, connection];
    const list = await readConfigFile(this.#path);
    if (connections.length === 0) {
      await removeConfigFile(list, before.folders);
      return;
    }
    const folders = await replaceConfigFile(list, print({ ...before, connections }));
    if (folders.length === 0) return;
    await replaceConfigFile(await readConfigFile(this.#path), print({ ...before, connections, folders }));
  }

  async #read(): Promise<Content> {
    try {
      const { content } = await readConfigFile(this.#path);
      const value: unknown = content === undefined ? EMPTY : JSON.parse(content.text);
      if (isJsonObject(value) && value.version === 1 && Array.isArray(value.connections)) {
        return value as unknown as Content;
      }
      throw new ConnectError('it should contain version 1 of the list');
    } catch (error) {
      throw new ConnectError(`The list of connections in ${this.#path} cannot be read: ${messageOf(error)}`);
    }
  }
}

const EMPTY: Content = { version: 1, folders: [], connections: [] };

function connectionOf({ connections }: Content, file: string): WrittenEntries | undefined {
  return connections.find(each => each.file === file);
}

function print(content: Content): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
