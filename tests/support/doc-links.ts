/** Checks links between documents. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proseOf } from './documents.js';
import { readText } from './source-code.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LINK = /\]\((<[^>]+>|[^)\s]+)\)/g;
const OUTSIDE = /^(?:https?|mailto):/;

/** The targets of all links on a page that lead to a place in the project. */
export function linksOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(LINK)].map(([, target = '']) => target).filter(target => !OUTSIDE.test(target));
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = [...proseOf(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  return new Set(
    headings.map(anchor => {
      const times = seen.get(anchor) ?? 0;
      seen.set(anchor, times + 1);
      return times === 0 ? anchor : `${anchor}-${times}`;
    }),
  );
}

export function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Broken links, as `page: target`. */
export function brokenLinks(page: string, markdown: string): string[] {
  return linksOf(markdown)
    .filter(target => !isThere(page, target))
    .map(target => `${page}: ${target}`);
}

function isThere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), path);
  if (file.startsWith('..') || !existsSync(`${ROOT}${file}`)) return false;
  return anchor === undefined || (file.endsWith('.md') && anchorsOf(readText(file)).has(anchor));
}
