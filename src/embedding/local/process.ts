/**
 * An encoder as a process, whose first message says what to load. It says why when the model cannot be loaded, or has
 * stopped working, and ends then, and also when its owner is gone.
 */
import { messageOf } from '../../domain/errors.js';
import type { ProcessFailure } from './encoder-host.js';
import type { EncodeRequest, EncoderStart } from './messages.js';
import { openTextServer, type TextServer } from './serve-texts.js';

// A terminal sends these to all processes at once: the owner still needs this one for its orderly end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

let server: TextServer | undefined;

process.on('message', async (message: EncoderStart | EncodeRequest) => {
  try {
    if ('source' in message)
      server = await openTextServer(message, { isProcess: true, reply: each => process.send?.(each) });
    else await server?.serve(message);
  } catch (error) {
    process.send?.({ failure: messageOf(error) } satisfies ProcessFailure, () => process.disconnect());
  }
});
