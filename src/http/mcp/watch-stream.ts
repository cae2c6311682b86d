/** Detects the end of a stream. */

/**
 * Passes a stream on. Calls `onEnd` when the stream has ended or failed, or its reader has cancelled it. After a
 * cancellation, `onEnd` may be called twice.
 */
export function watchStream(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}
