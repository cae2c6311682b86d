/** What an encoder and its owner tell each other. An encoder does one text at a time. */
import type { EncoderSource } from './encoder.js';
import type { RuntimeInUse } from './runtime.js';

/** What an encoder is started with. */
export interface EncoderStart {
  source: EncoderSource;
  /** It leaves the cores to others where they want them. */
  isInBackground: boolean;
}

export interface EncodeRequest {
  text: string;
}

export type TextReply =
  /** The vector, of unit length and of the model's own dimension. */
  | { vector: Float32Array }
  /** What is wrong with this text: the model embeds others. */
  | { problem: string };

/** The first says that the model is loaded, and by what. */
export type EncoderReply = { ready: RuntimeInUse } | TextReply;
