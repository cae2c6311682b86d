/** A model folder in the layout of the hub, with a tiny ONNX file, and the expected vectors. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GraphOptions, onnxGraph, tableValue } from './tiny-onnx-graph.js';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const WORDS = ['a', 'cat', 'dog', 'sees', 'the', 'moon', 'query', 'passage', ':', 'run', '##s'];
const VOCABULARY = [...SPECIAL, ...WORDS];

/** Length of the model's vectors. */
export const TINY_WIDTH = 6;

export interface TinyModelOptions extends Partial<GraphOptions> {
  /** Path of the ONNX file. */
  weights?: string;
  /** 1_Pooling/config.json. Most models on the hub do not have this file. */
  pooling?: Record<string, boolean>;
  /** sentence_bert_config.json */
  sentence?: Record<string, unknown>;
  config?: Record<string, unknown>;
  tokenizerConfig?: Record<string, unknown>;
}

/** The files of the model, by path. */
export function tinyModelFiles(options: TinyModelOptions = {}): Map<string, Buffer> {
  const { weights = 'onnx/model_quantized.onnx', pooling, sentence, config, tokenizerConfig } = options;
  const width = options.width ?? TINY_WIDTH;
  const graph = onnxGraph({ ...options, vocabularySize: VOCABULARY.length, width });
  const json = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2));
  return new Map([
    ['config.json', json({ model_type: 'bert', hidden_size: width, max_position_embeddings: 64, ...config })],
    ['tokenizer.json', json(tokenizer())],
    ['tokenizer_config.json', json({ model_max_length: 32, do_lower_case: true, ...tokenizerConfig })],
    ...(pooling ? [['1_Pooling/config.json', json(pooling)] as const] : []),
    ...(sentence ? [['sentence_bert_config.json', json(sentence)] as const] : []),
    [weights, Buffer.from(graph)],
  ]);
}

export function writeTinyModel(folder: string, options: TinyModelOptions = {}): void {
  for (const [path, content] of tinyModelFiles(options)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Returns the vectors of the tokens from the table of the model. Each token must be in the vocabulary. */
export function rowsOf(tokens: readonly string[], width = TINY_WIDTH, entry = tableValue): number[][] {
  return tokens.map(token => {
    const id = VOCABULARY.indexOf(token);
    if (id < 0) throw new Error(`${token} is not in the vocabulary`);
    return Array.from({ length: width }, (_, column) => entry(id, column));
  });
}

/** The mean of the rows of the tokens, scaled to unit length. */
export function meanOf(tokens: readonly string[]): number[] {
  const rows = rowsOf(tokens);
  return unit(
    Array.from({ length: TINY_WIDTH }, (_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)),
  );
}

export function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map(value => value / length);
}

function tokenizer() {
  const special = (content: string) => ({ SpecialToken: { id: content, type_id: 0 } });
  const idsOf = (content: string) => [content, { id: content, ids: [VOCABULARY.indexOf(content)], tokens: [content] }];
  return {
    version: '1.0',
    // The files of MiniLM contain these two settings too. Engraph must ignore them.
    truncation: { max_length: 4, strategy: 'LongestFirst', stride: 0 },
    padding: { strategy: { Fixed: 16 }, direction: 'Right', pad_id: 0, pad_type_id: 0, pad_token: '[PAD]' },
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [
        special('[CLS]'),
        { Sequence: { id: 'A', type_id: 0 } },
        special('[SEP]'),
        { Sequence: { id: 'B', type_id: 1 } },
      ],
      special_tokens: Object.fromEntries(['[CLS]', '[SEP]'].map(idsOf)),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  };
}
