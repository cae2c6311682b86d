/** Links between the documents are valid, and pages have a limited length. */
import { describe, expect, test } from 'vitest';
import { anchorOf, brokenLinks, linksOf } from '../support/doc-links.js';
import { DOC_PAGES, PAGES } from '../support/documents.js';
import { readText } from '../support/source-code.js';

const README_MAX_LINES = 150;
const PAGE_MAX_LINES = 199;

const lineCount = (page: string) => readText(page).split('\n').length - 1;

describe('links', () => {
  test.each([...PAGES, 'CHANGELOG.md', 'ARCHITECTURE.md', 'tests/README.md'])('of %s are valid', page => {
    expect(brokenLinks(page, readText(page))).toEqual([]);
  });
  test('in docs/README.md lead to every page outside docs/decisions', () => {
    const listed = linksOf(readText('docs/README.md')).map(target => `docs/${target.split('#')[0]}`);
    const inFolders = (page: string) => page.startsWith('docs/decisions/');
    expect(DOC_PAGES.filter(page => page !== 'docs/README.md' && !inFolders(page) && !listed.includes(page))).toEqual(
      [],
    );
  });
  test('that are broken are detected', () => {
    const links = '[a](docs/none.md) [b](#none) [c](docs/README.md#none) [d](https://example.com) `[e](none)`';
    expect(brokenLinks('README.md', links)).toHaveLength(4);
    expect(brokenLinks('docs/rest.md', '[a](../README.md) [b](../../outside.md)')).toHaveLength(1);
    expect(anchorOf('What does `engraph doctor` say, and why?')).toBe('what-does-engraph-doctor-say-and-why');
  });
});

describe('document pages', () => {
  test('do not exceed their maximum number of lines', () => {
    expect(lineCount('README.md')).toBeLessThanOrEqual(README_MAX_LINES);
    expect(DOC_PAGES.filter(page => lineCount(page) > PAGE_MAX_LINES)).toEqual([]);
  });
});
