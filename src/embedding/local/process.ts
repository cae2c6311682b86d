/**
 * An encoder as a process, whose first message says what to load. When the model cannot be loaded or has stopped working, it
 * says why and ends. It also ends when its owner is gone.
 */
import { messageOf } from '../../domain/errors.js';
import type { ProcessFailure } from './encoder-host.js';
import type { EncodeRequest, EncoderReply, EncoderStart } from './messages.js';
import { openTextServer, type TextServer } from './serve-texts.js';

// A terminal sends these to all processes at once: the owner still needs this one for its orderly end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

let server: TextServer | undefined;

/** Nobody hears it when the owner is gone: that is the owner's failure, not this process's. */
function tell(message: EncoderReply | ProcessFailure, onSent = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}

process.on('message', async (message: EncoderStart | EncodeRequest) => {
  try {
    if ('source' in message) server = await openTextServer(message, { isProcess: true, reply: tell });
    else await server?.serve(message);
  } catch (error) {
    tell({ failure: messageOf(error) }, () => {
      // Another text may have failed before.
      if (process.connected) process.disconnect();
    });
  }
});
