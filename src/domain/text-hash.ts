/** Hashes words to numbers, so that many words can be compared in little memory. */

const FIRST_SEED = 0xdeadbeef;
const SECOND_SEED = 0x41c6ce57;

/**
 * A hash of 53 bits, which a number represents exactly. Among a million different words, the probability that two have
 * the same hash is 1 in 18,000. The algorithm is cyrb53: two multiplicative 32-bit hashes, mixed like the end of
 * MurmurHash3 (bryc, "cyrb53", public domain).
 */
export function textHash(text: string): number {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 2_654_435_761);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  const firstMixed = mixed(first, second);
  const secondMixed = mixed(second, firstMixed);
  return 4_294_967_296 * (secondMixed & 0x1f_ffff) + (firstMixed >>> 0);
}

function mixed(one: number, other: number): number {
  return Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
}
