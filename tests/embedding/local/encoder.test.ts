/** Computes the vector of one text in this thread, on models whose vectors can be computed by hand. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Encoder, loadEncoder } from '../../../src/embedding/local/encoder.js';
import { meanOf, rowsOf, TINY_WIDTH, type TinyModelOptions, unit } from '../../support/tiny-model.js';
import { typeValue } from '../../support/tiny-onnx-graph.js';
import { expectVector, tinyModelFolder } from './test-local.js';

const WEIGHTS = 'onnx/model_quantized.onnx';

function load(options: TinyModelOptions = {}, name = 'tiny'): Promise<Encoder> {
  return loadEncoder({ folder: tinyModelFolder(options), name, weights: options.weights ?? WEIGHTS });
}

describe('pooling', () => {
  test('is the mean of all tokens by default', async () => {
    const encoder = await load();
    expectVector(await encoder.encode('the cat runs'), meanOf(['[CLS]', 'the', 'cat', 'run', '##s', '[SEP]']));
  });

  test('of a text without words uses the special tokens', async () => {
    const encoder = await load();
    for (const text of ['', ' \n ']) expectVector(await encoder.encode(text), meanOf(['[CLS]', '[SEP]']));
  });

  test('of unknown words uses the token for unknown words', async () => {
    const encoder = await load();
    expectVector(await encoder.encode('the 猫 🐈'), meanOf(['[CLS]', 'the', '[UNK]', '[UNK]', '[SEP]']));
  });

  test.each([
    [
      'mean',
      { pooling_mode_cls_token: false, pooling_mode_mean_tokens: true },
      'bge-small',
      meanOf(['[CLS]', 'cat', '[SEP]']),
    ],
    [
      'cls',
      { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
      'tiny',
      unit(rowsOf(['[CLS]'])[0] ?? []),
    ],
  ])("is %s if the model's files specify it", async (_, pooling, name, expected) => {
    const encoder = await load({ pooling }, name);
    expectVector(await encoder.encode('cat'), expected);
  });

  test('is that of the model card if the files do not specify it', async () => {
    const encoder = await load({}, 'Xenova/bge-small-en-v1.5');
    expectVector(await encoder.encode('cat'), unit(rowsOf(['[CLS]'])[0] ?? []));
  });

  test('of a kind other than mean and cls is refused', async () => {
    await expect(load({ pooling: { pooling_mode_max_tokens: true } })).rejects.toThrow(
      '1_Pooling/config.json asks for pooling_mode_max_tokens: only mean and cls are supported',
    );
  });

  test('is not applied to the output of a model that does its own pooling', async () => {
    const encoder = await load({ hasPooledOutput: true });
    const rows = rowsOf(['[CLS]', 'cat', '[SEP]']);
    const largest = Array.from({ length: TINY_WIDTH }, (_, column) => Math.max(...rows.map(row => row[column] ?? 0)));
    expectVector(await encoder.encode('cat'), unit(largest));
  });
});

describe('length', () => {
  const text = 'the cat sees the moon';

  test.each([
    ['the tokenizer', { tokenizerConfig: { model_max_length: 4 } }],
    ['sentence-transformers', { sentence: { max_seq_length: 4 } }],
    ['the positions', { config: { max_position_embeddings: 4 } }],
    [
      'positions after the padding',
      { config: { max_position_embeddings: 6, model_type: 'xlm-roberta', pad_token_id: 1 } },
    ],
  ])('is limited by %s, and the special tokens are kept', async (_, options) => {
    const encoder = await load(options);
    expectVector(await encoder.encode(text), meanOf(['[CLS]', 'the', 'cat', '[SEP]']));
  });

  test('is not reduced if it is exactly the limit', async () => {
    const encoder = await load({ sentence: { max_seq_length: 7 } });
    expectVector(await encoder.encode(text), meanOf(['[CLS]', 'the', 'cat', 'sees', 'the', 'moon', '[SEP]']));
  });

  test('is limited to 512 tokens even if the model accepts more', async () => {
    const encoder = await load({
      tokenizerConfig: { model_max_length: 1e30 },
      config: { max_position_embeddings: 8192 },
    });
    const tokens = ['[CLS]', ...Array.from({ length: 510 }, () => 'cat'), '[SEP]'];
    expectVector(await encoder.encode(`${'cat '.repeat(510)}${'moon '.repeat(5000)}`), meanOf(tokens));
  });
});

describe("a text far longer than the model's limit", () => {
  const LIMITED = { sentence: { max_seq_length: 8 } };
  const SEEN = ['the', 'cat', 'run', '##s', 'the', 'moon'];

  test.each([
    ['in short words', 'the cat runs the moon '],
    ['ending in one long run of unknown characters', `the cat runs the moon ${'☃'.repeat(9000)} `],
  ])('%s has the vector of its beginning', async (_, text) => {
    const encoder = await load(LIMITED);
    expectVector(await encoder.encode(text.repeat(300)), meanOf(['[CLS]', ...SEEN, '[SEP]']));
  });

  test('with long runs of spaces includes the words after them in its vector', async () => {
    const encoder = await load(LIMITED);
    const text = `the${' '.repeat(500)}cat${' '.repeat(5000)}runs the moon`;
    expectVector(await encoder.encode(text), meanOf(['[CLS]', ...SEEN, '[SEP]']));
  });

  test('without any space is embedded as one unknown word', async () => {
    const encoder = await load(LIMITED);
    expectVector(await encoder.encode('x'.repeat(50_000)), meanOf(['[CLS]', '[UNK]', '[SEP]']));
  });
});

describe('inputs and outputs', () => {
  test('token types are passed only to a model that accepts them', async () => {
    const encoder = await load({ hasTokenTypes: true });
    const rows = rowsOf(['[CLS]', 'cat', '[SEP]']);
    const sums = Array.from({ length: TINY_WIDTH }, (_, column) =>
      rows.reduce((sum, row) => sum + (row[column] ?? 0) + typeValue(column), 0),
    );
    expectVector(await encoder.encode('cat'), unit(sums));
  });

  test.each(['token_embeddings', 'some_name'])('the output may be called %s', async output => {
    const encoder = await load({ output });
    expectVector(await encoder.encode('cat'), meanOf(['[CLS]', 'cat', '[SEP]']));
  });

  test('full weights are supported', async () => {
    const encoder = await load({ weights: 'onnx/model.onnx' });
    expectVector(await encoder.encode('cat'), meanOf(['[CLS]', 'cat', '[SEP]']));
  });

  test('an unknown input is refused', async () => {
    await expect(load({ extraInput: 'pixel_values' })).rejects.toThrow(
      "has an input 'pixel_values' that is not supported",
    );
  });

  test('a file that contains no weights is refused', async () => {
    const folder = tinyModelFolder();
    writeFileSync(join(folder, WEIGHTS), 'no graph');
    await expect(loadEncoder({ folder, name: 'tiny', weights: WEIGHTS })).rejects.toThrow(/protobuf/i);
  });

  test('an output of the model that does not form a vector is refused', async () => {
    const encoder = await load({ entry: () => 0 });
    await expect(encoder.encode('cat')).rejects.toThrow('numbers that do not form a vector');
  });
});
