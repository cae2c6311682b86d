/** The files of a model in its repository on the hub, and the settings that they contain. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const CONFIG_FILE = 'config.json';
export const TOKENIZER_FILE = 'tokenizer.json';
export const TOKENIZER_CONFIG_FILE = 'tokenizer_config.json';
/** Files of sentence-transformers, which many conversions leave out. */
export const POOLING_FILE = '1_Pooling/config.json';
export const SENTENCE_FILE = 'sentence_bert_config.json';
/**
 * Files that may contain the model's weights. Engraph uses the first file that exists. Quantised weights come first,
 * because they are a quarter of the size and twice as fast.
 */
export const WEIGHT_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;

/**
 * Maximum length of a text in tokens, even for models that accept more. Embedding a text cannot be interrupted, and a
 * base-size model needs seconds for 512 tokens on one thread. A question would have to wait that long.
 */
const MAX_TOKENS = 512;
/**
 * Types of models whose first position comes after the position of the padding token. These models cannot use all of
 * their `max_position_embeddings`.
 */
const POSITIONS_AFTER_PADDING = /roberta|camembert|mpnet/;

export interface ModelConfig {
  /** How the vectors of the tokens are combined into the vector of the text. */
  pooling: Pooling;
  /** Maximum length of a text in tokens, including the special ones. The rest of a longer text is cut off. */
  maxTokens: number;
}

type Json = Record<string, unknown>;

/** @returns undefined when the file does not exist */
async function readJson(folder: string, file: string): Promise<Json | undefined> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`${join(folder, file)} is not JSON`);
  }
}

/** @throws Error when the file does not exist or is not JSON */
export async function readJsonOrThrow(folder: string, file: string): Promise<Json> {
  const value = await readJson(folder, file);
  if (value === undefined) throw new Error(`${join(folder, file)} is missing`);
  return value;
}

/**
 * Lists the files of the model in this folder.
 *
 * @throws Error naming the missing file
 */
export async function listModelFiles(folder: string): Promise<{ weights: string; files: string[] }> {
  const isThere = async (file: string) => (await stat(join(folder, file)).catch(() => undefined))?.isFile() ?? false;
  for (const file of [CONFIG_FILE, TOKENIZER_FILE, TOKENIZER_CONFIG_FILE]) {
    if (!(await isThere(file))) throw new Error(`${join(folder, file)} is missing`);
  }
  const weights = (await isThere(WEIGHT_FILES[0])) ? WEIGHT_FILES[0] : WEIGHT_FILES[1];
  if (!(await isThere(weights))) throw new Error(`${join(folder, weights)} is missing`);
  const files = [CONFIG_FILE, TOKENIZER_FILE, TOKENIZER_CONFIG_FILE, weights];
  for (const file of [POOLING_FILE, SENTENCE_FILE]) if (await isThere(file)) files.push(file);
  return { weights, files };
}

/** Length of the model's vectors. Undefined if its configuration does not contain the length. */
export async function readHiddenSize(folder: string): Promise<number | undefined> {
  const config = await readJsonOrThrow(folder, CONFIG_FILE);
  // DistilBERT names the hidden size `dim`.
  return countOf(config.hidden_size) ?? countOf(config.dim) ?? countOf(config.d_model);
}

/**
 * @param name name of the model, used to find facts that the model's files do not contain
 * @throws Error when a file is missing, or the pooling of the model is not supported
 */
export async function readModelConfig(folder: string, name: string): Promise<ModelConfig> {
  const facts = factsOf(name);
  const config = await readJsonOrThrow(folder, CONFIG_FILE);
  const tokenizer = await readJsonOrThrow(folder, TOKENIZER_CONFIG_FILE);
  const sentence = await readJson(folder, SENTENCE_FILE);
  const pooling = await readJson(folder, POOLING_FILE);
  const limits = [
    countOf(tokenizer.model_max_length),
    countOf(sentence?.max_seq_length) ?? facts.maxTokens,
    positionsOf(config),
  ];
  return {
    pooling: pooling ? poolingOf(pooling) : (facts.pooling ?? 'mean'),
    maxTokens: Math.min(MAX_TOKENS, ...limits.filter(limit => limit !== undefined)),
  };
}

function positionsOf(config: Json): number | undefined {
  const positions = countOf(config.max_position_embeddings);
  if (positions === undefined || !POSITIONS_AFTER_PADDING.test(String(config.model_type))) return positions;
  return positions - (countOf(config.pad_token_id) ?? 1) - 1;
}

/** Returns the kind of pooling. The configuration of sentence-transformers has a switch for each kind. */
function poolingOf(config: Json): Pooling {
  const ways = Object.keys(config).filter(key => key.startsWith('pooling_mode_') && config[key] === true);
  if (ways.length === 1 && ways[0] === 'pooling_mode_mean_tokens') return 'mean';
  if (ways.length === 1 && ways[0] === 'pooling_mode_cls_token') return 'cls';
  throw new Error(`${POOLING_FILE} asks for ${ways.join(' and ') || 'no pooling'}: only mean and cls are supported`);
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

export type Pooling = 'mean' | 'cls';

/**
 * Facts that the files of a model on the hub may not contain. Most conversions to ONNX leave out the files of
 * sentence-transformers, which contain these facts.
 */
export interface ModelFacts {
  /** The pooling that the model was trained with. If undefined, `mean`. */
  pooling?: Pooling;
  /** The model's `max_seq_length`, given only if it is less than the maximum that the model could accept. */
  maxTokens?: number;
}

/**
 * Source of `maxTokens`: sbert.net/docs/sentence_transformer/pretrained_models.html. Source of `pooling`: the model
 * cards (huggingface.co/BAAI, /Snowflake, /mixedbread-ai, /Alibaba-NLP).
 */
const FACTS: readonly { name: RegExp; facts: ModelFacts }[] = [
  { name: /^all-minilm-l6-v2$/, facts: { maxTokens: 256 } },
  { name: /^all-minilm-l12-v2$/, facts: { maxTokens: 128 } },
  { name: /^all-mpnet-base-v2$/, facts: { maxTokens: 384 } },
  { name: /^paraphrase-/, facts: { maxTokens: 128 } },
  { name: /^bge-/, facts: { pooling: 'cls' } },
  { name: /^snowflake-arctic-embed/, facts: { pooling: 'cls' } },
  { name: /^mxbai-embed/, facts: { pooling: 'cls' } },
  { name: /^gte-.*-v1\.5$/, facts: { pooling: 'cls' } },
];

/** @param model name of the model, with or without its owner, or name of the folder that holds the model */
function factsOf(model: string): ModelFacts {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return FACTS.find(candidate => candidate.name.test(name))?.facts ?? {};
}
