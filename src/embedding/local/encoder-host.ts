/**
 * Controls an encoder, which is a thread of this process or a separate process. Threads and processes have the same
 * interface.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../thread.js';
import type { EncoderSource } from './encoder.js';
import type { RuntimeInUse } from './runtime.js';

/** A text for the encoder, which handles one text at a time. */
export interface EncodeRequest {
  text: string;
}

export type TextReply =
  /** The vector, of unit length and with the model's own dimension. */
  | { vector: Float32Array }
  /** The reason why the model cannot embed this text. The model can still embed other texts. */
  | { problem: string };

/** The first reply reports that the model is loaded, and on which runtime. */
export type EncoderReply = { ready: RuntimeInUse } | TextReply;

export interface EncoderHost {
  send(request: EncodeRequest): void;
  /** Sets whether this process stays alive for the encoder. Initially it stays alive. */
  setAwaited(isAwaited: boolean): void;
  /** Ends the encoder, in the middle of a text if necessary. */
  end(): Promise<void>;
}

export interface HostEvents {
  onReply(reply: EncoderReply): void;
  /**
   * Called when the encoder has failed or ended, also after a call of `end`. It may be called twice.
   *
   * @param problem a clause that follows the name of the failed part
   */
  onEnd(problem: string, cause?: unknown): void;
}

export type StartHost = (source: EncoderSource, events: HostEvents) => EncoderHost;

/** The message that a failed process sends before it ends. */
export interface ProcessFailure {
  failure: string;
}

export const startEncoderThread: StartHost = (source, events) =>
  hostOfThread(startThread(new URL('./encoder-program.js', import.meta.url), source), events);

export function hostOfThread(thread: Worker, { onReply, onEnd }: HostEvents): EncoderHost {
  thread.on('message', onReply);
  thread.on('error', error => onEnd(`has failed: ${error.message}`, error));
  thread.on('exit', code => onEnd(`has ended with code ${code}`));
  return {
    send: request => thread.postMessage(request),
    setAwaited: isAwaited => (isAwaited ? thread.ref() : thread.unref()),
    end: async () => void (await thread.terminate()),
  };
}

/**
 * Starts a separate process for the native runtime, because this runtime ends its process when it fails. The output of
 * the runtime never reaches stdout, which MCP uses.
 */
export const startEncoderProcess: StartHost = (source, { onReply, onEnd }) => {
  const child = fork(fileURLToPath(new URL('./encoder-program.js', import.meta.url)), {
    execArgv: [],
    // Transfers vectors in binary form.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  child.on('message', (message: EncoderReply | ProcessFailure) => {
    if ('failure' in message) onEnd(`has failed: ${message.failure}`);
    else onReply(message);
  });
  child.on('error', error => onEnd(`has failed: ${error.message}`, error));
  child.on('exit', (code, signal) => onEnd(signal ? `was ended by ${signal}` : `has ended with code ${code}`));
  // Ignore errors of `send`, because the exit event reports a process that has ended.
  const send = (message: EncoderSource | EncodeRequest) => child.send(message, () => {});
  const setAwaited = (isAwaited: boolean) => {
    for (const handle of [child, child.channel]) {
      if (isAwaited) handle?.ref();
      else handle?.unref();
    }
  };
  send(source);
  return {
    send,
    setAwaited,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGKILL')) return;
      setAwaited(true);
      await ended;
    },
  };
};
