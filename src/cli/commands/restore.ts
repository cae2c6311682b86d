/** `engraph restore`: lists recently deleted memories and restores them. */
import { beginningOf } from '../../domain/text/characters.js';
import type { CommandParts } from '../command.js';
import { say } from '../say.js';
import { withMemory } from '../with-memory.js';

/** The service lists at most this many memories. */
const LISTED_MAX = 500;
/** Maximum number of characters that are shown of each memory. */
const SHOWN_MAX = 120;

/** @returns 1 if a memory was not in the bin, otherwise 0 */
export async function runRestore(parts: CommandParts): Promise<number> {
  const { names: ids = [] } = parts.options;
  return withMemory(parts, async memory => {
    if (ids.length === 0) {
      const { memories } = await memory.bin(LISTED_MAX);
      const { binned } = await memory.consolidationStatus();
      if (memories.length === 0) say('The bin is empty.');
      for (const { id, deleted_at, content, reason } of memories) {
        say(`${id}  ${deleted_at}  ${beginningOf(content, SHOWN_MAX)}  (${reason})`);
      }
      if (binned > memories.length) say(`and ${binned - memories.length} more, which were deleted before these`);
      return 0;
    }
    const { restored, unknown } = await memory.restore(ids);
    for (const id of restored) say(`${id} is back`);
    for (const id of unknown) say(`${id} is not in the bin`);
    return unknown.length === 0 ? 0 : 1;
  });
}
