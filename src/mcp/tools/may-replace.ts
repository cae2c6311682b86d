/** Describes the memories that a memory which was just written may replace, with the call that settles each case. */
import { z } from 'zod';
import type { StoreManyAnswer, UpdateAnswer } from '../../api/memories.js';
import { onOneLine } from '../../domain/visible-text.js';

/** Older memories that a written memory may replace. In a batch, `newer_id` names the written memory. */
export const replaceableOutput = z
  .array(z.looseObject({ memory_id: z.string(), content: z.string(), why: z.string() }))
  .optional();

type Found = NonNullable<UpdateAnswer['may_replace'] | StoreManyAnswer['may_replace']>[number];

/** @param newerId id of the written memory, unless each found memory names it */
export function describeReplaceable(found: readonly Found[] = [], newerId = ''): string[] {
  return found.map(each => {
    const { memory_id: older, content, why } = each;
    const newer = 'newer_id' in each ? each.newer_id : newerId;
    const call = `associate_memories {"memory1_id": "${older}", "memory2_id": "${newer}", "type": "INVALIDATED_BY"}`;
    return onOneLine(`May replace ${older}: "${content}" (${why}). If so: ${call}`);
  });
}
