/**
 * Runs an encoder as a process. The first message from the owner names the model to load. When the model cannot be
 * loaded or stops working, the process reports the reason and ends. It also ends when its owner has ended.
 */
import { messageOf } from '../../domain/errors.js';
import type { ProcessFailure } from './encoder-host.js';
import type { EncodeRequest, EncoderReply, EncoderStart } from './messages.js';
import { openTextServer, type TextServer } from './serve-texts.js';

// Ignore these signals. A terminal sends them to all processes at once, but the owner still needs this process while it
// closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

let server: TextServer | undefined;

/** Sends a message if the owner still exists. The absence of the owner must not count as a failure of this process. */
function tell(message: EncoderReply | ProcessFailure, onSent = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}

process.on('message', async (message: EncoderStart | EncodeRequest) => {
  try {
    if ('source' in message) server = await openTextServer(message, { isProcess: true, reply: tell });
    else await server?.serve(message);
  } catch (error) {
    tell({ failure: messageOf(error) }, () => {
      // Check the connection, because the failure of another text may have closed it already.
      if (process.connected) process.disconnect();
    });
  }
});
