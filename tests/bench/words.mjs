/**
 * Measures how long the analysis of a text takes per character, for each language of `tests/golden/languages` and for
 * English, in processor time of one process.
 *
 *   npm run build && node tests/bench/words.mjs [--code FOLDER]
 *
 * `words` splits a text, `index` finds all terms under which it is indexed, and `dictionary` segments Han characters and
 * kana by dictionary.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: { code: { type: 'string', default: fileURLToPath(new URL('../../build', import.meta.url)) } },
});
const fromCode = path => import(pathToFileURL(join(resolve(flags.code), path)).href);
const { dictionaryWords, words } = await fromCode('domain/text/words.js');
const { indexedTerms } = await fromCode('domain/text/terms.js');

const MEASURED_MS = 400;
const ENGLISH = [
  'The release waits for the review of the payment module, because the totals of two reports differ.',
  'Maria would rather meet in the morning, and she cannot come on the last Friday of the month.',
  'We moved the nightly backups to the new machine and keep them for ninety days.',
  'The landlord replaces the broken lamp in the hall as soon as the part has arrived.',
];
const notes = readFileSync(new URL('../golden/languages/notes.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line));
const texts = new Map([['en', ENGLISH]]);
for (const { id, content } of notes) {
  const [language] = id.split('-');
  texts.set(language, [...(texts.get(language) ?? []), content]);
}

const processorMs = () => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000;

/** @returns nanoseconds per character, the best of three measurements */
function nsPerCharacter(analyze, contents) {
  const once = () => {
    const start = processorMs();
    let characters = 0;
    while (processorMs() - start < MEASURED_MS) {
      for (const content of contents) analyze(content);
      characters += contents.reduce((sum, { length }) => sum + length, 0);
    }
    return ((processorMs() - start) * 1e6) / characters;
  };
  return Math.min(once(), once(), once());
}

process.stdout.write('ns per character     words     index   dictionary\n');
for (const [language, contents] of texts) {
  const analyses = [words, content => indexedTerms({ content, tags: [], metadata: {} }), dictionaryWords];
  const cells = analyses.map(analyze => nsPerCharacter(analyze, contents).toFixed(0).padStart(10));
  process.stdout.write(`${language.padEnd(17)}${cells.join('')}\n`);
}
