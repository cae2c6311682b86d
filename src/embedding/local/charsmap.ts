/**
 * The table by which SentencePiece normalizes texts, as it is in tokenizer.json (`precompiled_charsmap`). The table has
 * two parts: a double-array trie of UTF-8 bytes, and the replacements, each of which ends with a zero byte.
 */

/** Only clusters with fewer bytes are looked up as a whole, as in the tokenizers of Hugging Face. */
const CLUSTER_BYTES = 6;
/**
 * Splits before characters that never continue a cluster. The segmenter takes a time per cluster that grows with the
 * length of the text, so it gets short parts.
 */
const CLUSTER_STARTS = /(?=[ -~]|(?![\p{Script=Hangul}\u0e33\u0eb3])[\p{Lu}\p{Ll}\p{Lt}\p{Lo}])/u;
const LABEL_BITS = 0x8000_00ff;
const VALUE_BITS = 0x7fff_ffff;

const offsetOf = (unit: number) => (unit >>> 10) << ((unit & 0x200) >> 6);
const hasValue = (unit: number) => ((unit >>> 8) & 1) === 1;

/**
 * @param charsmap the table in base64
 * @returns a function that normalizes a text exactly like the tokenizers of Hugging Face, in which a model was trained
 */
export function createCharsmap(charsmap: string): (text: string) => string {
  const table = Buffer.from(charsmap, 'base64');
  const trieBytes = table.readUInt32LE(0);
  const trie = Uint32Array.from({ length: trieBytes / 4 }, (_, index) => table.readUInt32LE(4 + index * 4));
  const replacements = table.subarray(4 + trieBytes);
  const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

  /** The replacement of the shortest beginning of these bytes that has one. It replaces all of the bytes. */
  const replacementOf = (bytes: Buffer): string | undefined => {
    let node = offsetOf(trie[0] ?? 0);
    for (const byte of bytes) {
      node ^= byte;
      const unit = trie[node] ?? 0;
      if (byte === 0 || (unit & LABEL_BITS) >>> 0 !== byte) return undefined;
      node ^= offsetOf(unit);
      if (!hasValue(unit)) continue;
      const start = (trie[node] ?? 0) & VALUE_BITS;
      return replacements.toString('utf8', start, replacements.indexOf(0, start));
    }
    return undefined;
  };

  const normalizeCluster = (cluster: string): string => {
    const bytes = Buffer.from(cluster);
    const whole = bytes.length < CLUSTER_BYTES ? replacementOf(bytes) : undefined;
    if (whole !== undefined) return whole;
    return Array.from(cluster, character => replacementOf(Buffer.from(character)) ?? character).join('');
  };

  const normalizePart = (part: string): string => {
    if (part.length === 1) return normalizeCluster(part);
    return Array.from(clusters.segment(part), ({ segment }) => normalizeCluster(segment)).join('');
  };

  return text => text.split(CLUSTER_STARTS).map(normalizePart).join('');
}
