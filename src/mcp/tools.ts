/**
 * Lists every tool in the order in which clients see them. A constant order keeps the prompt caches of clients valid.
 */
import type { InputLimits } from '../domain/bounds.js';
import type { ContentTiers } from '../domain/settings.js';
import type { Tool } from './tool.js';
import { associateMemories } from './tools/associate-memories.js';
import { checkDatabaseHealth } from './tools/check-database-health.js';
import { deleteMemory } from './tools/delete-memory.js';
import { recallMemory } from './tools/recall-memory.js';
import { storeMemory } from './tools/store-memory.js';
import { updateMemory } from './tools/update-memory.js';

export interface ToolParts {
  limits: InputLimits;
  content: ContentTiers;
}

export function createTools({ limits, content }: ToolParts): readonly Tool[] {
  return [
    storeMemory(limits, content),
    recallMemory(limits),
    associateMemories(),
    updateMemory(limits, content),
    deleteMemory(),
    checkDatabaseHealth(),
  ];
}
