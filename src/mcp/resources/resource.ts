/** Defines a resource independently of any MCP SDK: its address, its description and how it is read. */
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
  /** @throws MemoryError for each failure whose cause may be reported to the client */
  read(context: ReadContext): Promise<string>;
}

/** A family of resources whose addresses share a prefix. */
export interface ResourceTemplate extends Described {
  /** The shared prefix. It ends with a slash. */
  base: string;
  /** Name of the variable part after the prefix. */
  parameter: string;
  /** Resolves to undefined when the resource does not exist. */
  read(value: string, context: ReadContext): Promise<string | undefined>;
  complete(beginning: string, shown: RecentlyShown): string[];
}
