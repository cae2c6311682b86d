/**
 * The local embedder on a tiny model with the architecture of multilingual-e5-small, compared with the reference
 * implementation. `multilingual/make-model.py` makes the model and the reference.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { EmbeddingPurpose } from '../../../src/embedding/embedder.js';
import { createTokenCutter, createTokenizer, splitsAtSpaces } from '../../../src/embedding/local/tokenizer.js';
import { Tokenizer } from '../../../src/packages/tokenizers.js';
import { openEmbedder } from './test-local.js';

interface Reference {
  purpose: EmbeddingPurpose;
  text: number;
  tokens: number[];
  vector: number[];
}

const FOLDER = fileURLToPath(new URL('multilingual/', import.meta.url));
const MODEL = join(FOLDER, 'multilingual-e5-small');
const WIDTH = 32;
const MAX_TOKENS = 512;
const PREFIXES = { query: 'query: ', document: 'passage: ' };
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const readModel = (file: string) => JSON.parse(readFileSync(join(MODEL, file), 'utf8'));

const { compared, repeatedBeyondTheLimit } = JSON.parse(read('texts.json'));
const TEXTS: string[] = [...compared, ...repeatedBeyondTheLimit.map((text: string) => text.repeat(600))];
const REFERENCE: Reference[] = read('reference.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line));
const textOf = (reference: Reference) => TEXTS[reference.text] ?? '';
const labelOf = (reference: Reference) => `${reference.purpose} ${JSON.stringify(textOf(reference).slice(0, 40))}`;

describe('the tokens of texts in many scripts are those of the reference', () => {
  const definition = readModel('tokenizer.json');
  const { normalizer } = definition;
  const spaces = { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' };

  test.each([
    ['in the form of XLM-RoBERTa', {}],
    ['in the form of later converters', { normalizer: { type: 'Sequence', normalizers: [normalizer, spaces] } }],
  ])('with a tokenizer.json %s', (_, changes) => {
    const changed = { ...definition, ...changes };
    const tokenizer = createTokenizer(Tokenizer, changed, readModel('tokenizer_config.json'));
    const limits = { maxTokens: MAX_TOKENS, isSplitAtSpaces: splitsAtSpaces(changed) };
    const tokensOf = createTokenCutter(tokenizer, limits);
    for (const reference of REFERENCE) {
      const prefixed = PREFIXES[reference.purpose] + textOf(reference);
      expect(tokensOf(prefixed), labelOf(reference)).toEqual(reference.tokens);
    }
  });
});

test('the vectors of questions and memories are those of the reference', async () => {
  const { embedder } = await openEmbedder({ path: MODEL }, WIDTH);
  const vectors = {
    query: await embedder.embed(TEXTS, 'query'),
    document: await embedder.embed(TEXTS, 'document'),
  };
  for (const reference of REFERENCE) {
    const vector = vectors[reference.purpose][reference.text] ?? new Float32Array();
    const differences = reference.vector.map((value, index) => Math.abs(value - (vector[index] ?? Number.NaN)));
    expect(Math.max(...differences), labelOf(reference)).toBeLessThan(1e-5);
  }
});
