/** The decisions that docs/decisions.md lists and other pages explain, and the references to them. */
import { anchorOf } from './doc-links.js';
import { DOC_PAGES } from './documents.js';
import { readText } from './source-code.js';

const LIST = readText('docs/decisions.md');

/** The decisions by their name in the list, with the page and the heading that explain each decision. */
export const DECISION_LINKS = [...LIST.matchAll(/^- \[(.+?)\]\((.+?)#(.+?)\)$/gm)].map(
  ([, heading = '', page = '', anchor = '']) => ({ heading, page, anchor }),
);
/** The headings of the list. Each heading stands above a group of decisions. */
export const DECISION_GROUPS = [...LIST.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

/** Names by which comments and tests reference a decision or a group of decisions. */
export const DECISIONS: ReadonlySet<string> = new Set([
  ...DECISION_GROUPS,
  ...DECISION_LINKS.map(({ heading }) => heading),
]);

const POINTER = /docs\/decisions\.md, "([^"]*)"/g;
const NUMBER = /\bdecisions? D\d/;

/** References to missing decisions, as `path: heading`. */
export function brokenPointers(path: string, text: string): string[] {
  return [...text.matchAll(POINTER)]
    .map(([, heading = '']) => heading)
    .filter(heading => !DECISIONS.has(heading))
    .map(heading => `${path}: ${heading}`);
}

/** Decisions that only the list or only a page has, and decisions that the list links to a wrong page or anchor. */
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
