/** Hashes words to numbers, so that many words can be compared in little memory. */

const FIRST_SEED = 0xdeadbeef;
const SECOND_SEED = 0x41c6ce57;
const APOSTROPHE = 39;
const CAPITAL_A = 65;
const CAPITAL_Z = 90;
/** The bit in which a small ASCII letter differs from its capital. */
const TO_SMALL = 0x20;
const HALF = 2 ** 32;

/**
 * A hash of 53 bits, which a number represents exactly. Among a million different words, the probability that two have
 * the same hash is 1 in 18,000. The algorithm is cyrb53: two multiplicative 32-bit hashes, mixed like the end of
 * MurmurHash3 (bryc, "cyrb53", public domain).
 * Capitals from A to Z have the same hash as small letters, and an apostrophe has no effect on the hash.
 */
export function textHash(text: string): number {
  return partHash(text, 0, text.length);
}

/** The same hash of the part of a text from position `start` to before `end`. */
export function partHash(text: string, start: number, end: number): number {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  for (let index = start; index < end; index++) {
    const read = text.charCodeAt(index);
    if (read === APOSTROPHE) continue;
    const code = read >= CAPITAL_A && read <= CAPITAL_Z ? read | TO_SMALL : read;
    first = Math.imul(first ^ code, 2_654_435_761);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  const firstMixed = mixed(first, second);
  const secondMixed = mixed(second, firstMixed);
  return HALF * (secondMixed & 0x1f_ffff) + (firstMixed >>> 0);
}

/** The lower 32 bits of a hash. They suffice to distinguish the words of one text. */
export function lowerHalf(hash: number): number {
  return hash >>> 0;
}

/** The other 21 bits of a hash. */
export function upperHalf(hash: number): number {
  return (hash - lowerHalf(hash)) / HALF;
}

function mixed(one: number, other: number): number {
  return Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
}
