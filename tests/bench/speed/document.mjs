/** Replaces the figures of the last run in a document. */

const BEGIN = '<!-- figures of npm run bench -->';
const END = '<!-- end of the figures -->';

/** @throws if the document lacks the two comments that enclose the figures */
export function replaceFigures(text, figures) {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`The document has no place for figures: ${BEGIN} and ${END} are missing`);
  return `${text.slice(0, begin + BEGIN.length)}\n${figures}\n${text.slice(end)}`;
}
