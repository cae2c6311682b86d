/** Records by their ids. Those that were read from the file stay in memory, because recalls meet the same ones again and again. */
import type { Metadata } from '../../domain/json.js';
import type { Memory } from '../../domain/memory.js';
import { createRecent } from '../../domain/recent.js';
import { type Connection, GIVEN_IDS } from '../database/connection.js';
import { type MemoryRow, memoryOf } from './rows.js';

export interface RecordReader {
  /** Those that exist, in the order of the ids. The caller may change them. */
  read(ids: readonly string[]): Map<string, Memory>;
  /** To be told of what has been written: these records, or, without ids, any. */
  forget(ids?: readonly string[]): void;
}

/** Characters of content, tags and metadata: about 20 MiB with what belongs to them, and more than 10,000 notes. */
const CHARACTERS_MAX = 8_000_000;

const READ = `SELECT memories.* FROM ${GIVEN_IDS}`;

/** In place of metadata that are kept as JSON. */
const NONE: Metadata = {};

interface Kept {
  memory: Memory;
  /** As JSON. */
  metadata: string;
}

export function createRecordReader(connection: Connection): RecordReader {
  const known = createRecent(CHARACTERS_MAX, lengthOf);
  const readAnew = (ids: readonly string[]): Map<string, Kept> => {
    const rows = ids.length > 0 ? connection.all<MemoryRow>(READ, JSON.stringify(ids)) : [];
    return new Map(rows.map(row => [row.id, { memory: memoryOf(row), metadata: row.metadata }]));
  };
  return {
    read: ids => {
      const present = new Map(ids.map(id => [id, known.get(id)]));
      const anew = readAnew(ids.filter(id => present.get(id) === undefined));
      for (const [id, kept] of anew) known.set(id, toBeKept(kept));
      const found = new Map<string, Memory>();
      for (const [id, kept] of present) {
        const memory = kept ? copyOf(kept) : anew.get(id)?.memory;
        if (memory) found.set(id, memory);
      }
      return found;
    },
    forget: ids => {
      if (ids) for (const id of ids) known.delete(id);
      else known.clear();
    },
  };
}

/**
 * What the code in one place made and lived long, V8 makes in the old generation from then on. Records that are read and
 * given away must not be made where those are that stay: they would pile up until everything is collected.
 */
function toBeKept({ memory, metadata }: Kept): Kept {
  const { tags, tag_prefixes } = memory;
  return { memory: { ...memory, tags: [...tags], tag_prefixes: [...tag_prefixes], metadata: NONE }, metadata };
}

function copyOf({ memory, metadata }: Kept): Memory {
  const { tags, tag_prefixes } = memory;
  return {
    ...memory,
    tags: [...tags],
    tag_prefixes: [...tag_prefixes],
    metadata: JSON.parse(metadata) as Metadata,
  };
}

function lengthOf({ memory, metadata }: Kept): number {
  const { content, tags, tag_prefixes, summary } = memory;
  const ofTags = [...tags, ...tag_prefixes].reduce((sum, tag) => sum + tag.length, 0);
  return content.length + (summary?.length ?? 0) + 2 * metadata.length + ofTags;
}
