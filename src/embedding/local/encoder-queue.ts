/**
 * The encoder of a model, and the texts that wait for it: questions before memories. The encoder starts on first use, and
 * after a failure the next text starts another one.
 */

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import { startThread } from '../../thread.js';
import type { EmbeddingPurpose } from '../embedder.js';
import type { EncoderSource, RuntimeInUse } from './encoder.js';
import { createBackoff } from './model.js';

export interface EncoderQueueParts {
  log: { warn(message: string): void };
  clock: Pick<Clock, 'elapsedMs'>;
  startHost: StartHost;
  /** Called when the first encoder is ready. */
  onRuntime(runtime: RuntimeInUse): void;
}

export interface EncoderQueue {
  /**
   * Returns the vectors of texts, in order, of unit length and with the model's own dimension. A question waits only
   * for earlier questions and for the one text that is being embedded.
   *
   * @throws MemoryError `unavailable` when the model cannot be used, `invalid` when the model works but cannot embed
   * one of these texts
   */
  encode(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Ends the encoder, in the middle of a text if necessary. Waiting texts fail with `unavailable`. */
  close(): Promise<void>;
}

interface Request {
  purpose: EmbeddingPurpose;
  texts: readonly string[];
  /** The vectors of the first texts. The next text is embedded when the encoder is free. */
  vectors: Float32Array[];
  resolve(vectors: Float32Array[]): void;
  reject(error: MemoryError): void;
}

interface RunningEncoder {
  host: EncoderHost;
  isReady: boolean;
  /** Whether it has replied to a text. */
  isProven: boolean;
  /** The request whose text it embeds. */
  request?: Request | undefined;
}

const unavailable = (problem: string, cause?: unknown) =>
  new MemoryError('unavailable', `The local model ${problem}`, { cause });

export function createEncoderQueue(source: EncoderSource, parts: EncoderQueueParts): EncoderQueue {
  const waiting: Record<EmbeddingPurpose, Request[]> = { query: [], document: [] };
  /** Delays another attempt to load a model, because each attempt occupies a core for a while. */
  const backoff = createBackoff(parts.clock);
  let encoder: RunningEncoder | undefined;
  let isRuntimeKnown = false;
  let isClosed = false;

  /** Gives the encoder the next text. Only a busy encoder keeps the process alive. */
  const proceed = () => {
    if (!encoder?.isReady || encoder.request) return;
    const request = waiting.query[0] ?? waiting.document[0];
    encoder.host.setAwaited(request !== undefined);
    if (!request) return;
    encoder.request = request;
    encoder.host.send({ text: request.texts[request.vectors.length] ?? '' });
  };

  const settle = (request: Request, reply: TextReply) => {
    if ('vector' in reply) request.vectors.push(reply.vector);
    if ('vector' in reply && request.vectors.length < request.texts.length) return;
    waiting[request.purpose].shift();
    if ('vector' in reply) request.resolve(request.vectors);
    else request.reject(new MemoryError('invalid', `The local model cannot embed this text: ${reply.problem}`));
  };

  const failAll = (error: MemoryError) => {
    for (const queue of Object.values(waiting)) for (const { reject } of queue.splice(0)) reject(error);
  };

  const start = () => {
    const host = parts.startHost(source, {
      onReply: reply => {
        if ('ready' in reply) {
          running.isReady = true;
          if (!isRuntimeKnown) parts.onRuntime(reply.ready);
          isRuntimeKnown = true;
        } else if (running.request) {
          const { request } = running;
          running.request = undefined;
          running.isProven = true;
          backoff.succeed();
          settle(request, reply);
        }
        proceed();
      },
      onEnd: (problem, cause) => {
        if (encoder !== running) return;
        encoder = undefined;
        if (!running.isProven) backoff.fail();
        parts.log.warn(`the local model ${problem}`);
        failAll(unavailable('has failed: see the log', cause));
      },
    });
    const running: RunningEncoder = { host, isReady: false, isProven: false };
    encoder = running;
  };

  return {
    encode: async (texts, purpose) => {
      if (isClosed) throw unavailable('is closed');
      if (!encoder && !backoff.isDue()) throw unavailable('has failed and is tried again later: see the log');
      if (texts.length === 0) return [];
      const vectors = new Promise<Float32Array[]>((resolve, reject) => {
        waiting[purpose].push({ purpose, texts, vectors: [], resolve, reject });
      });
      if (!encoder) start();
      proceed();
      return vectors;
    },
    close: async () => {
      isClosed = true;
      const ending = encoder;
      encoder = undefined;
      failAll(unavailable('is closed'));
      await ending?.host.end();
    },
  };
}

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

interface EncoderHost {
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

type StartHost = (source: EncoderSource, events: HostEvents) => EncoderHost;

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
