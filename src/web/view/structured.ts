/** Reads the structured content of `recall_memory`, which the host forwards unchanged. */
import type { MemoryAnswer } from '../../client/client.js';
import type { ShownResult } from '../search/result.js';
import type { ToolResult } from './host.js';

/** The fields of a memory that every result has. */
export type Facts = ShownResult['memory'];

/** An entry of `results`. It has the fields of the specification, or all fields if the call asked for them. */
type Item = Partial<Omit<ShownResult, 'memory'>> & {
  memory: Partial<Facts> & {
    memory_id: string;
    created_at?: string;
    summary?: string;
    content_truncated?: boolean;
  };
  match_type?: unknown;
  relations?: unknown;
};

export interface Found {
  results: ShownResult[];
  /** The reasons why results were left out or added. */
  notes: string[];
}

/** Reads the result of a search. @returns undefined when the view cannot read its structured content */
export function readFound(result: ToolResult): Found | undefined {
  const given = structuredOf(result);
  if (given === undefined) return undefined;
  const notes = Array.isArray(given.notes) ? given.notes.map(String) : [];
  return { results: given.results.filter(isItem).map(toResult), notes };
}

/** Reads a memory with all fields from the result of a call with `memory_id`. @returns undefined for other results */
export function readMemory(result: ToolResult): MemoryAnswer | undefined {
  const [item] = structuredOf(result)?.results.filter(isItem) ?? [];
  if (item?.match_type !== 'direct') return undefined;
  return { ...item.memory, id: item.memory.memory_id, relations: item.relations } as unknown as MemoryAnswer;
}

interface Structured {
  results: unknown[];
  notes?: unknown;
}

function structuredOf({ structuredContent }: ToolResult): Structured | undefined {
  const given = structuredContent as Partial<Structured> | null | undefined;
  return Array.isArray(given?.results) ? (given as Structured) : undefined;
}

function isItem(value: unknown): value is Item {
  return typeof (value as Partial<Item> | null)?.memory?.memory_id === 'string';
}

function toResult({ memory, final_score = 0, ...item }: Item): ShownResult {
  const { memory_id: id, content, summary = '', type, tags = [], importance = 0, created_at: timestamp = '' } = memory;
  const text = memory.content_truncated ? `${content}…` : (content ?? summary);
  return { ...item, final_score, memory: { id, content: text, type, tags, importance, timestamp } };
}
