/**
 * Facts about models that the models' own files on the hub may not contain. Most conversions to ONNX leave out the
 * files of sentence-transformers, which contain these facts.
 */

export type Pooling = 'mean' | 'cls';

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
export function factsOf(model: string): ModelFacts {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return FACTS.find(candidate => candidate.name.test(name))?.facts ?? {};
}
