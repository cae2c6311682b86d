/**
 * The hint `language`, or a path with a known extension, boosts style memories for that language
 * (docs/decisions.md, "Context hints").
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, store, idOf } = await openRecallApp();

const TAGGED =
  `haskell elixir lua dart perl r objective-c powershell node vue yaml terraform c# c++ f# c go rust java docker
  gleam`.split(/\s+/);
/** Each memory is about the language with which its name begins. */
const WRITTEN = {
  'c#1': 'The billing service is written in C# and runs in a container',
  'c#2': 'Billing code in .NET 8 keeps one class in one file',
  'c++1': 'Billing headers of C++17 go beside their sources',
  c1: 'The billing parser is written in C.',
  c2: 'Billing needs a C compiler on the build machine',
  c3: 'Billing sums are rounded in money.c only',
  java1: 'The billing batch job runs on java 21',
  go1: 'We use Go for the billing gateway',
  go2: 'Go: wrap billing errors with their cause',
  go3: 'Run `go vet` before billing is deployed',
  go4: 'Billing is in Rust, Go and Python',
  rust1: 'The billing engine: Python, then Rust and C',
  rust2: 'Rust code of billing never panics',
  swift1: 'Our billing app is a Swift package',
  haskell1: 'Billing rules are modelled in haskell types',
  gleam1: 'The billing actor was rewritten in Gleam',
  js1: 'Billing pages run on Node.js',
  r1: 'The billing report is an R script',
};
/** None of these memories mentions the language with which its name begins. */
const OTHERWISE = {
  c4: 'Billing takes plan C, vitamin C and c',
  c5: 'The billing client is Objective-C code',
  c6: 'The billing core is C++ code and C# code',
  java2: 'Billing pages are written in JavaScript',
  go5: 'Go to the billing office and let it go',
  go6: 'Billing can go wrong in many ways',
  rust3: 'Rust has eaten the billing sign; remove the rust',
  swift2: 'Swift answers of billing are welcome: be swift',
  r2: 'Ask Mr. R. Smith, who is on the R list, about billing',
  'c++2': 'The billing core is C code',
};
const LANGUAGE_OF: Record<string, string> = { js: 'javascript' };

beforeAll(() => {
  const tagged = TAGGED.map(language => [
    `tag ${language}`,
    {
      content: `A rule of style for billing, number ${TAGGED.indexOf(language)}`,
      type: 'Style',
      tags: [`lang:${language}`],
    },
  ]);
  const written = Object.entries({ ...WRITTEN, ...OTHERWISE }).map(([name, content]) => [
    name,
    { content, type: 'Context', tags: [`case:${tagged.length}`] },
  ]);
  return store(Object.fromEntries([...tagged, ...written]));
});

async function bonusOf(name: string, hint: Record<string, string>): Promise<number> {
  const { results } = await ask({ query: 'billing', limit: '100', ...hint });
  return results.find(({ id }: { id: string }) => id === idOf(name)).score_components.context;
}

describe('language hint', () => {
  test.each(TAGGED)('%s boosts only the style memory with its tag', async language => {
    expect(await bonusOf(`tag ${language}`, { language: language.toUpperCase() })).toBeGreaterThan(0.15);
    const { results } = await ask({ query: 'billing', tags: 'lang', limit: '100', language });
    const raised = results.filter(
      (result: { score_components: { context: number } }) => result.score_components.context > 0,
    );
    expect(raised).toHaveLength(1);
  });

  test.each(Object.entries(WRITTEN))('boosts the memory %s, which mentions the language: %s', async name => {
    expect(await bonusOf(name, { language: languageOf(name) })).toBeGreaterThan(0.05);
  });

  test.each(Object.entries(OTHERWISE))('does not boost the memory %s: %s', async name => {
    expect(await bonusOf(name, { language: languageOf(name) })).toBe(0);
  });

  test.each([
    ['csharp', 'c#'],
    ['CPP', 'c++'],
    ['objc', 'objective-c'],
    ['Objective C', 'objective-c'],
    ['golang', 'go'],
    ['hs', 'haskell'],
    ['pwsh', 'powershell'],
    ['js', 'node'],
  ])('%s is an alias of %s', async (alias, language) => {
    expect(await bonusOf(`tag ${language}`, { language: alias })).toBeGreaterThan(0.15);
  });
});

test.each([
  ['src/Main.hs', 'haskell'],
  ['lib/app.ex', 'elixir'],
  ['init.lua', 'lua'],
  ['src/App.vue', 'vue'],
  ['.github/workflows/ci.yml', 'yaml'],
  ['infra/main.tf', 'terraform'],
  ['scripts/deploy.PS1', 'powershell'],
  ['C:\\work\\Billing.cs', 'c#'],
  ['include/core.hpp', 'c++'],
  ['src/core.c', 'c'],
  ['deploy/Dockerfile', 'docker'],
])('the path %s implies the language %s', async (path, language) => {
  expect(await bonusOf(`tag ${language}`, { active_path: path })).toBeGreaterThan(0.15);
});

test.each(['notes', 'src/go', 'archive.unknown', '.'])('the path %s implies no language', async path => {
  const { results } = await ask({ query: 'billing', limit: '100', active_path: path });
  expect(
    results.every((result: { score_components: { context: number } }) => result.score_components.context === 0),
  ).toBe(true);
});

function languageOf(name: string): string {
  const language = name.replace(/\d$/, '');
  return LANGUAGE_OF[language] ?? language;
}
