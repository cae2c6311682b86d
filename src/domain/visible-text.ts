/**
 * Makes the text of memories safe to show to a model or in a terminal. Anybody may have written the text. The shown
 * text must not contain characters that a model reads but a person does not see. It must also not contain lines that
 * look like output of Engraph. Stored text stays unchanged.
 */

/** Every character that some reader treats as a line break. */
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Scripts in which a joiner or non-joiner between two letters changes their form. */
const JOINING_SCRIPTS = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh'
  .split(' ')
  .map(script => `\\p{scx=${script}}`)
  .join('');
const JOINED_LETTER = `(?=[\\p{L}\\p{M}])[${JOINING_SCRIPTS}]`;

/** Invisible characters in legitimate positions. */
const LEGITIMATE = [
  // An emoji with its presentation selector, its skin tone and joined emoji, such as a family.
  '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\p{Emoji_Modifier}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)*',
  // A keycap.
  '[0-9#*]\\ufe0f\\u20e3',
  // The flags of England, Scotland and Wales, which are spelled with tag characters.
  `\\u{1f3f4}\\u{e0067}\\u{e0062}(?:${['eng', 'sct', 'wls'].map(inTagCharacters).join('|')})\\u{e007f}`,
  `(?<=${JOINED_LETTER})[\\u200c\\u200d](?=${JOINED_LETTER})`,
];

/** The only visible format characters are number signs and similar signs, which surround their digits. */
const SEEN_FORMAT = '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]';
const HIDDEN = `(?!${SEEN_FORMAT})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]`;

/** The list is reversed to try flags before emoji, because the first character of a flag is itself an emoji. */
const LEGITIMATE_OR_HIDDEN = new RegExp(`${LEGITIMATE.toReversed().join('|')}|(?<hidden>${HIDDEN})`, 'gu');
const NOTHING_TO_SHOW = /^[\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff]*$/;

/** Writes invisible characters as escapes such as `\u{200F}`. Line feeds and tabs are kept. */
export function visible(text: string): string {
  if (NOTHING_TO_SHOW.test(text)) return text;
  return text.replaceAll(LEGITIMATE_OR_HIDDEN, (match: string, ...rest: unknown[]) => {
    const { hidden } = rest.at(-1) as { hidden?: string };
    return hidden === undefined || hidden === '\n' || hidden === '\t' ? match : escapeOf(hidden);
  });
}

/** Makes a text a single line, even if it contains line breaks. */
export function onOneLine(text: string): string {
  return visible(text.replaceAll(LINE_ENDS, ' ').replaceAll('\t', ' '));
}

/** Keeps the lines of a text, and indents each line after the first. */
export function inBlock(text: string, indent: string): string {
  return visible(text.replaceAll(LINE_ENDS, '\n')).replaceAll('\n', `\n${indent}`);
}

/** Applies `visible` to every text in a JSON value, including keys. */
export function visibleJson<Value>(value: Value): Value {
  return shown(value) as Value;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shown);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => (child === undefined ? [] : [[visible(key), shown(child)]])),
  );
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
}

function inTagCharacters(letters: string): string {
  return [...letters].map(letter => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('');
}
