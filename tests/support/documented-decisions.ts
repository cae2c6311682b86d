/** The decisions that docs/decisions.md lists and the pages beside it explain, and what points to them. */
import { anchorOf } from './doc-links.js';
import { DOC_PAGES } from './documents.js';
import { readText } from './source-code.js';

const LIST = readText('docs/decisions.md');

/** As the list names them, with the page and the heading that explain them. */
export const DECISION_LINKS = [...LIST.matchAll(/^- \[(.+?)\]\((.+?)#(.+?)\)$/gm)].map(
  ([, heading = '', page = '', anchor = '']) => ({ heading, page, anchor }),
);
/** Headings under which the list has them. */
export const DECISION_GROUPS = [...LIST.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

/** Names by which comments and tests point to a decision, or to a group of them. */
export const DECISIONS: ReadonlySet<string> = new Set([
  ...DECISION_GROUPS,
  ...DECISION_LINKS.map(({ heading }) => heading),
]);

const POINTER = /docs\/decisions\.md, "([^"]*)"/g;
const NUMBER = /\bdecisions? D\d/;

/** Pointers to a decision that is not there, as `path: heading`. */
export function brokenPointers(path: string, text: string): string[] {
  return [...text.matchAll(POINTER)]
    .map(([, heading = '']) => heading)
    .filter(heading => !DECISIONS.has(heading))
    .map(heading => `${path}: ${heading}`);
}

/** Decisions that the list and the pages do not both have at the same place. */
export function listedOtherwise(): string[] {
  const listed = DECISION_LINKS.map(({ heading, page, anchor }) =>
    anchor === anchorOf(heading) ? `docs/${page}: ${heading}` : `wrong anchor: ${heading}`,
  );
  const explained = DOC_PAGES.filter(page => page.startsWith('docs/decisions/')).flatMap(page =>
    [...readText(page).matchAll(/^### (.+)$/gm)].map(([, heading]) => `${page}: ${heading}`),
  );
  return [...listed.filter(entry => !explained.includes(entry)), ...explained.filter(entry => !listed.includes(entry))];
}

export function namesByNumber(text: string): boolean {
  return NUMBER.test(text);
}
