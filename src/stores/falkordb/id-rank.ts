/** The order of ids as numbers, in which everything is walked over. */
import { keyOf } from './encoding.js';

const RANKED_CHARACTERS = '0123456789abcdef';
const RANKED_LENGTH = 9;
const RANK_BASE = 19;
export const RANK_END = RANK_BASE ** RANKED_LENGTH;

/**
 * The beginning of an id as a number of the same order: the server cannot be trusted with ranges of text. Hexadecimal
 * digits, of which most ids are, are told apart; from the first other character on, ids are alike.
 */
export function idRank(id: string): number {
  const key = keyOf(id);
  let rank = 0;
  let isRanked = true;
  for (let position = 0; position < RANKED_LENGTH; position++) {
    const character = key[position] ?? '';
    rank = rank * RANK_BASE + (isRanked ? rankOf(character) : 0);
    isRanked &&= RANKED_CHARACTERS.includes(character) && character !== '';
  }
  return rank;
}

/** 0 before the digits, then the digits, 11 between them and the letters, the letters, and 18 behind. */
function rankOf(character: string): number {
  if (character < '0') return 0;
  if (character <= '9') return 1 + Number(character);
  if (character < 'a') return 11;
  return character <= 'f' ? 2 + Number.parseInt(character, 16) : 18;
}
