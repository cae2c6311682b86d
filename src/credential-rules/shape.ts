/** What a value consists of. */
const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const SMALL = /\p{Ll}/u;
const CAPITAL = /\p{Lu}/u;

export const hasDigit = (value: string): boolean => DIGIT.test(value);
export const hasLetter = (value: string): boolean => LETTER.test(value);
export const hasBothCases = (value: string): boolean => SMALL.test(value) && CAPITAL.test(value);
