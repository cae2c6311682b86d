/** Recognises the language of a text. */

/** Scripts that show the language of a text. Kana come first, because Japanese also contains Han characters. */
const SCRIPTS: readonly [pattern: RegExp, language: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
];

/** The language of a text as its ISO 639-1 code, such as 'de', or undefined if the language is unknown. */
export function languageOf(text: string): string | undefined {
  return SCRIPTS.find(([pattern]) => pattern.test(text))?.[1];
}
