/** Text of memories as a tool may print it: anybody may have written it, and it must not pose as a line of ours. */

/** Everything that some reader takes for the end of a line. */
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
/** Terminal sequences, and marks that turn the direction of what follows them. */
const INVISIBLE = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/** On one line, whatever it holds. */
export function onOneLine(text: string): string {
  return text.replaceAll(LINE_ENDS, ' ').replaceAll('\t', ' ').replaceAll(INVISIBLE, '');
}

/** Its own lines kept, each after the first indented. */
export function inBlock(text: string, indent: string): string {
  return text.replaceAll(LINE_ENDS, '\n').replaceAll(INVISIBLE, '').replaceAll('\n', `\n${indent}`);
}
