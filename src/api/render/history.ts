/** Renders the versions of a memory. */
import type { MemoryHistory } from '../../domain/history.js';
import type { HistoryAnswer } from '../answers/history.js';

export function renderHistory(id: string, { versions }: MemoryHistory): HistoryAnswer {
  return {
    status: 'success',
    memory_id: id,
    versions: versions.map(({ number, replacedAt, changed, fields }) => ({
      version: number,
      replaced_at: replacedAt,
      changed: [...changed],
      ...fields,
      tags: [...fields.tags],
    })),
  };
}
