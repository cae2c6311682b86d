/** What a resource is, independent of any MCP SDK: an address, words for the client, and how it is read. */
import type { EngraphClient } from '../../client/client.js';
import type { RecentlyShown } from '../recently-shown.js';

export interface ReadContext {
  memory: EngraphClient;
  shown: RecentlyShown;
}

interface Described {
  name: string;
  title: string;
  description: string;
}

export interface Resource extends Described {
  uri: string;
  /** @throws MemoryError or EngraphError for what the caller should know */
  read(context: ReadContext): Promise<string>;
}

/** Many resources: what follows the fixed beginning of the address says which one. */
export interface ResourceTemplate extends Described {
  /** Ends with a slash. */
  base: string;
  /** Name of what follows. */
  parameter: string;
  /** Resolves to undefined when the resource does not exist. */
  read(value: string, context: ReadContext): Promise<string | undefined>;
  complete(beginning: string, shown: RecentlyShown): string[];
}
