/** Compares the documents with the code: requests, tools, commands, weights, messages, files and scripts. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOperations } from '../../src/api/operations.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import { loadConfig } from '../../src/config.js';
import { connectClient, faultyEngine } from '../mcp/connected-client.js';
import { PAGES } from '../support/documents.js';
import { readSources, readText } from '../support/source-code.js';
import { testLimits } from '../support/test-limits.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Requests that the table of operations does not contain. */
const OTHER_REQUESTS = ['GET /', 'GET /docs', 'GET /openapi.json', 'GET /metrics', 'GET /export', 'POST /mcp'];
const texts = PAGES.map(page => ({ page, text: readText(page) }));

const quoted = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside);
/** All text in backquotes, with the page that contains it. */
const allQuoted = texts.flatMap(({ page, text }) => quoted(text).map(inside => ({ page, inside })));

function requestsIn(text: string): string[] {
  return quoted(text).filter(inside => /^(?:GET|POST|PATCH|DELETE) \//.test(inside));
}

const pathOf = (request: string) => request.replace(/\?.*$/, '');
const operations = createOperations(testLimits()).map(({ method, path }) => `${method} ${path}`);

describe('requests', () => {
  test('named in the documents exist', () => {
    const known = new Set([...operations, ...OTHER_REQUESTS]);
    const unknown = texts.flatMap(({ page, text }) =>
      requestsIn(text).flatMap(request => (known.has(pathOf(request)) ? [] : [`${page}: ${request}`])),
    );
    expect(unknown).toEqual([]);
  });
  test('are all described in docs/rest.md', () => {
    const documented = requestsIn(readText('docs/rest.md')).map(pathOf);
    expect([...operations, ...OTHER_REQUESTS].filter(request => !documented.includes(request))).toEqual([]);
  });
});

test.each(['README.md', 'docs/mcp.md'])('%s has a row for each tool', async page => {
  const { client, close } = await connectClient(faultyEngine({}));
  onTestFinished(close);
  const { tools } = await client.listTools();
  const rows = [...readText(page).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(tools.map(({ name }) => name));
});

test('docs/commands.md has every command of the help', () => {
  const documented = [...readText('docs/commands.md').matchAll(/`engraph ([a-z]+)`/g)].map(([, name]) => name);
  const helped = Object.keys(COMMANDS);
  expect(helped.filter(name => !documented.includes(name))).toEqual([]);
  expect(helped.length).toBeGreaterThan(7);
});

test('docs/recall.md states the default weights', () => {
  const rows = [...readText('docs/recall.md').matchAll(/^\| (`\w+`(?:, `\w+`)*) \| .* \| ([\d., ]+) \|$/gm)];
  const stated = rows.flatMap(([, parts = '', weights = '']) => {
    const numbers = weights.split(', ').map(Number);
    return quoted(parts).map((part, index) => [part, numbers[index]]);
  });
  expect(Object.fromEntries(stated)).toEqual(loadConfig({}).recall.weights);
});

test('docs/troubleshooting.md quotes only messages that exist in the code', () => {
  const code = readSources('src')
    .map(({ path }) => readText(path))
    .join('\n');
  const messages = quoted(readText('docs/troubleshooting.md')).filter(inside => inside.split(' ').length > 4);
  expect(messages.length).toBeGreaterThan(5);
  const fragments = messages.flatMap(message => message.split('…').map(part => part.trim().replace(/[:,]$/, '')));
  expect(fragments.filter(part => part.length > 3 && !code.includes(part))).toEqual([]);
});

describe('the documents', () => {
  test('name only existing files', () => {
    const missing = allQuoted.flatMap(({ page, inside }) =>
      [...inside.matchAll(/(?:^|\s)((?:src|tests|docs)\/[\w./-]+)/g)].flatMap(([, path = '']) =>
        existsSync(`${ROOT}${path}`) ? [] : [`${page}: ${path}`],
      ),
    );
    expect(missing).toEqual([]);
  });
  test('name only existing npm scripts', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const named = texts.flatMap(({ page, text }) =>
      [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
  });
});
