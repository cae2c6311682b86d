/** Golden memories in the form that a client stores: ids instead of names, and edges for superseded memories. */
import type { RawInput } from '../../src/api/input.js';
import type { RecallOutcome } from '../../src/domain/recall.js';
import { idOf } from '../support/records.js';
import type { GoldenMemories } from './memories.js';

/** Asks any engine that contains golden memories, and gives the names of these memories by their ids. */
export interface Asked {
  ask(parameters: RawInput): Promise<RecallOutcome>;
  nameOf(id: string): string;
}

/** Ids follow the order of the memories, so that equal scores have the same order in every run. */
export function createNames(memories: GoldenMemories) {
  const names = Object.keys(memories);
  return {
    idFor: (name: string) => idOf(names.indexOf(name) + 1),
    nameOf: (id: string) => names[Number(id.slice(-12)) - 1] ?? id,
  };
}

export function inputsOf(memories: GoldenMemories): RawInput[] {
  const { idFor } = createNames(memories);
  return Object.entries(memories).map(([name, { at, from, until, invalidatedBy: _, ...fields }]) => ({
    ...fields,
    id: idFor(name),
    timestamp: at,
    last_accessed: at,
    t_valid: from,
    t_invalid: until,
  }));
}

export function edgesOf(memories: GoldenMemories) {
  const { idFor } = createNames(memories);
  return Object.entries(memories).flatMap(([name, { invalidatedBy }]) =>
    invalidatedBy === undefined
      ? []
      : [
          {
            memory1_id: idFor(name),
            memory2_id: idFor(invalidatedBy),
            type: 'INVALIDATED_BY' as const,
            strength: 0.9,
            properties: {},
          },
        ],
  );
}
