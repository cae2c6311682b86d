/** Stores batches. A memory that is already stored is not stored again. */
import { MemoryError } from '../domain/errors.js';
import type { Memory, NewMemory } from '../domain/memory.js';
import type { StoredMemories } from '../domain/results.js';
import { assertSame, newRecord } from './new-records.js';
import { type NewRecords, type Saved, save, type WriteParts } from './write.js';

export async function storeMany(parts: WriteParts, inputs: readonly NewMemory[]): Promise<StoredMemories> {
  const startedMs = parts.clock.elapsedMs();
  const { memories, vectors } = await saveCompared(parts, inputs);
  return { memories, vectors, durationMs: parts.clock.elapsedMs() - startedMs };
}

/**
 * Saves a batch after comparing its memories with the existing memories that have the same ids.
 *
 * @throws MemoryError `conflict`, with the index of a memory whose id belongs to a memory with other content, tags, type or
 * importance
 */
async function saveCompared(parts: WriteParts, inputs: readonly NewMemory[]): Promise<Saved> {
  const ids = inputs.flatMap(({ id }) => id ?? []);
  const known = ids.length > 0 ? await parts.graph.getMemories(ids) : new Map<string, Memory>();
  const firsts = firstsCompared(parts, inputs, known);
  const newIds = new Set([...firsts.keys()].filter(id => !known.has(id)));
  try {
    return await save(parts, inputs, made => parts.graph.saveMemories(withNewMarked(made, newIds)));
  } catch (error) {
    // If another caller has stored the id since the ids were looked up, the two memories must still be compared.
    const id = error instanceof MemoryError && error.code === 'conflict' ? inputs[error.index ?? -1]?.id : undefined;
    if (id === undefined || known.has(id) || !(await parts.graph.getMemories([id])).has(id)) throw error;
    return saveCompared(parts, inputs);
  }
}

/**
 * Returns the first memory of the batch with each id.
 *
 * @throws MemoryError `conflict`, with the index of a memory whose id is known, or occurs earlier in the batch, with the
 * same content and other values
 */
function firstsCompared(
  parts: WriteParts,
  inputs: readonly NewMemory[],
  known: ReadonlyMap<string, Memory>,
): Map<string, NewMemory> {
  const firsts = new Map<string, NewMemory>();
  for (const [index, input] of inputs.entries()) {
    if (input.id === undefined) continue;
    // The batch itself may contain an id twice.
    const first = firsts.get(input.id);
    const earlier = known.get(input.id) ?? (first && newRecord(parts, first, parts.clock.nowMs()).memory);
    // Compare only memories with the same content. Different content is a separate conflict, which the store detects.
    if (earlier?.content === input.content) assertSame(input, earlier, index);
    if (!first) firsts.set(input.id, input);
  }
  return firsts;
}

/** Marks the first record with each of the ids as new. */
async function* withNewMarked(made: NewRecords, ids: ReadonlySet<string>): NewRecords {
  const left = new Set(ids);
  for await (const part of made)
    yield part.map(record => (left.delete(record.memory.id) ? { ...record, isNew: true } : record));
}
