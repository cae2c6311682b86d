/** The facade that every adapter sees: one memory, whatever stores, models and workers stand behind it. */
import type {
  ChangeAnswer,
  HealthAnswer,
  MemoryAnswer,
  RecallAnswer,
  StoreAnswer,
  StoreManyAnswer,
  TagPageAnswer,
  TagRemovalAnswer,
  WorkStatusAnswer,
} from '../domain/answers.js';
import type { MemoryPatch, NewMemory } from '../domain/memory.js';
import type { InputLimits } from '../domain/memory-input.js';
import type { RecallQuery, TagPage } from '../domain/recall-query.js';

/** Every method may reject with MemoryError `unavailable` when the graph store cannot be reached. */
export interface Engine {
  /** Bounds for the input parsers of the domain. */
  readonly limits: InputLimits;
  /** @throws MemoryError `conflict` when the id exists with other content; the same content is a replay */
  store(memory: NewMemory): Promise<StoreAnswer>;
  /** All or nothing. */
  storeMany(memories: readonly NewMemory[]): Promise<StoreManyAnswer>;
  /** @throws MemoryError `not_found` */
  get(id: string): Promise<MemoryAnswer>;
  /** @throws MemoryError `not_found` */
  update(id: string, patch: MemoryPatch): Promise<ChangeAnswer>;
  /** @throws MemoryError `not_found` */
  remove(id: string): Promise<ChangeAnswer>;
  listByTag(page: TagPage): Promise<TagPageAnswer>;
  /** Deletes every memory that has any of the tags, exactly. */
  removeByTag(tags: readonly string[]): Promise<TagRemovalAnswer>;
  recall(query: RecallQuery): Promise<RecallAnswer>;
  /** Never rejects and answers within two seconds. */
  health(): Promise<HealthAnswer>;
  workStatus(): Promise<WorkStatusAnswer>;
  /** Resolves when no background work is left but what waits for the end of a back-off. */
  idle(): Promise<void>;
  /** Finishes work in flight and closes everything; safe to call twice. */
  close(): Promise<void>;
}
