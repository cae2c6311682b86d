/** Takes the first sentence as a summary, for lists without room for the whole content. */

const SUMMARY_MAX_LENGTH = 240;
/**
 * The end of the first sentence is searched in this number of characters. A longer sentence would be cut to the length
 * of a summary anyway.
 */
const READ_LENGTH = 5_000;
/** A full stop after an initial or a title, or before a word in lower case, does not end a sentence. */
const SENTENCE_END = /(?<!\b(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|No))[.!?]["')\]]*(?=\s+[^\s\p{Ll}])|\n\s*\n|[。！？]/u;

/** @returns undefined when the text is not longer than its summary */
export function summaryOf(content: string): string | undefined {
  const text = content.trim();
  const beginning = text.slice(0, READ_LENGTH);
  const end = SENTENCE_END.exec(beginning);
  const sentence = (end ? beginning.slice(0, end.index + end[0].length) : beginning).replace(/\s+/g, ' ').trim();
  const summary = [...sentence].length <= SUMMARY_MAX_LENGTH ? sentence : shortened(sentence);
  return summary.length < text.length ? summary : undefined;
}

/** Cuts a text to the maximum length. If a word ends in the last quarter, cuts at the end of that word. */
function shortened(sentence: string): string {
  const cut = [...sentence].slice(0, SUMMARY_MAX_LENGTH - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > SUMMARY_MAX_LENGTH * 0.75 ? cut.slice(0, space) : cut}…`;
}
