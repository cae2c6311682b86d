/** The tool `hook_event`: hooks of the host program call it, so that no process has to start for each hook. */
import { z } from 'zod';
import { contextAnswer, stopAnswer } from '../../api/answers/hooks.js';
import { choice } from '../../api/fields.js';
import { optional } from '../../api/input.js';
import { promptRequest, stopRequest } from '../../api/requests/hooks.js';
import type { EngraphClient } from '../../client/client.js';
import { invalidField } from '../../domain/errors.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  event: choice(['session-start', 'prompt', 'stop']).describe('The event of the host'),
  ...stopRequest.shape,
  prompt: optional(promptRequest.shape.prompt),
});

export const hookEvent = () =>
  defineTool({
    name: 'hook_event',
    title: 'Hook of the host',
    description:
      'Only hooks of the host use this: do not call it. Returns the text that a hook prints, such as memories for a prompt.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    alwaysLoad: false,
    input,
    output: z.looseObject({ ...contextAnswer.shape, ...stopAnswer.shape }),
    async handle({ event, ...given }, { memory }) {
      const answer = await answerTo(event, given, memory);
      return { text: JSON.stringify(answer), structured: answer };
    },
  });

async function answerTo(
  event: 'session-start' | 'prompt' | 'stop',
  { prompt, ...given }: Omit<z.output<typeof input>, 'event'>,
  memory: EngraphClient,
): Promise<object> {
  if (event === 'stop') return memory.hookStop(given);
  const { session_id, cwd } = given;
  if (event === 'session-start') return memory.hookSessionStart({ session_id, cwd });
  if (prompt === undefined) throw invalidField('prompt', 'is required for the event prompt');
  return memory.hookPrompt({ session_id, cwd, prompt });
}
