/**
 * Supersedes a memory in one transaction: saves the new memory, changes the superseded memory, and adds the edge
 * between the two.
 */
import type { SaveOutcome, SupersedeRequest } from '../ports/memory-store.js';
import { updateMemory } from './memories.js';
import type { MemoryDatabase } from './memory-database.js';
import { saveRelations } from './relations.js';
import { saveMemories } from './save-memories.js';

export function supersede(connection: MemoryDatabase, request: SupersedeRequest): SaveOutcome | undefined {
  const { record, supersededId, change, relation } = request;
  return connection.transaction(() => {
    if (!connection.get('SELECT 1 FROM memories WHERE id = ?', supersededId)) return undefined;
    const [outcome] = saveMemories(connection, [record]);
    updateMemory(connection, supersededId, change);
    saveRelations(connection, [relation]);
    return outcome;
  });
}
