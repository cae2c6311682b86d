/** What the worker thread and its owner tell each other. The worker does one text at a time. */

export interface EncodeRequest {
  text: string;
}

export type EncodeReply =
  /** The vector, of unit length and of the model's own dimension. */
  | { vector: Float32Array<ArrayBuffer> }
  /** What is wrong with this text: the model embeds others. */
  | { problem: string };
