/** Embeds a document once when two parts need its vector at about the same time: the answer to a write, and the worker. */
import { createRecent } from '../domain/recent.js';
import type { Clock } from '../domain/time.js';

type EmbedTexts = (texts: readonly string[]) => Promise<Float32Array[]>;

/** Number of texts whose vectors are kept. */
const KEPT_MAX = 50;
/** A vector is shared for this time after it was requested, so that a call that hangs is not shared forever. */
const SHARED_MS = 3_000;

/** Shares vectors that are being made or were made just before. A failed text is embedded again by the next call. */
export function shareDocuments(embed: EmbedTexts, clock: Pick<Clock, 'schedule'>): EmbedTexts {
  const recent = createRecent<Promise<Float32Array>>(KEPT_MAX, () => 1);
  return texts => {
    const known = new Map(texts.map(text => [text, recent.get(text)]));
    const missing = [...known.keys()].filter(text => !known.get(text));
    const made = missing.length > 0 ? embed(missing) : Promise.resolve([]);
    for (const [index, text] of missing.entries()) {
      const vector = made.then(vectors => vectors[index] as Float32Array);
      vector.catch(() => recent.delete(text));
      recent.set(text, vector);
      clock.schedule(SHARED_MS, () => recent.delete(text));
      known.set(text, vector);
    }
    return Promise.all(texts.map(text => known.get(text) as Promise<Float32Array>));
  };
}
