/** Characters of random texts. */
import fc from 'fast-check';

const SURROGATES_START = 0xd800;
const SURROGATES_COUNT = 0x800;
const CHARACTERS_MAX = 0x10ffff - SURROGATES_COUNT;

/**
 * Any Unicode character with equal probability. The unit `binary` of fast-check has the same characters, but takes a
 * second to build a table of them.
 */
export const anyCharacter = fc.nat({ max: CHARACTERS_MAX }).map(
  index => String.fromCodePoint(index < SURROGATES_START ? index : index + SURROGATES_COUNT),
  character => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    const isOne = code !== undefined && character === String.fromCodePoint(code);
    const isSurrogate = isOne && code >= SURROGATES_START && code < SURROGATES_START + SURROGATES_COUNT;
    if (!isOne || isSurrogate) throw new Error('It is no single character.');
    return code < SURROGATES_START ? code : code - SURROGATES_COUNT;
  },
);
