/** The decisions that docs/decisions.md explains, and what points to them. */
import { readText } from './source-code.js';

/** Headings by which comments and tests name a decision, or a group of them. */
export const DECISIONS: ReadonlySet<string> = new Set(
  [...readText('docs/decisions.md').matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => heading),
);

const POINTER = /docs\/decisions\.md, "([^"]*)"/g;
const NUMBER = /\bdecisions? D\d/;

/** Pointers to a decision that is not there, as `path: heading`. */
export function brokenPointers(path: string, text: string): string[] {
  return [...text.matchAll(POINTER)]
    .map(([, heading = '']) => heading)
    .filter(heading => !DECISIONS.has(heading))
    .map(heading => `${path}: ${heading}`);
}

export function namesByNumber(text: string): boolean {
  return NUMBER.test(text);
}
