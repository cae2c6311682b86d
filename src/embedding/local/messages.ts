/** The messages between an encoder and its owner. An encoder handles one text at a time. */
import type { EncoderSource } from './encoder.js';
import type { RuntimeInUse } from './runtime.js';

/** The start parameters of an encoder. */
export interface EncoderStart {
  source: EncoderSource;
  /** Whether the encoder runs at low priority. */
  isInBackground: boolean;
}

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
