/** Computes the vector of a text in three steps: tokens, one run of the model, pooling. Runs in the calling thread. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { messageOf } from '../../domain/errors.js';
import {
  type Pooling,
  readJsonOrThrow,
  readModelConfig,
  TOKENIZER_CONFIG_FILE,
  TOKENIZER_FILE,
} from './model-files.js';
import { createTokenCutter, createTokenizer, splitsAtSpaces } from './tokenizer.js';

export interface EncoderSource {
  /** Folder of the model. */
  folder: string;
  /** Name of the model, used to look up settings that the files of the model may not contain. */
  name: string;
  /** Path of the ONNX file in the folder. */
  weights: string;
}

export interface EncoderOptions {
  /**
   * Whether to use the native runtime if it is installed. This is only allowed in a separate process, because the
   * runtime may end the process.
   */
  mayBeNative?: boolean;
}

export interface Encoder {
  runtime: RuntimeInUse;
  /**
   * The vector of one text, of unit length and with the model's own dimension.
   *
   * Each run has one text, because a batch would not be faster: a token takes the same time in a batch as alone.
   * Quantised models also scale their numbers by all texts of a run, so in a batch the vector of a text would depend on
   * the other texts.
   */
  encode(text: string): Promise<Float32Array>;
}

/**
 * Names of outputs in order of preference. The model itself has pooled the first of these outputs. If the model has
 * none of them, its own first output is used.
 */
const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];
/**
 * Makes ONNX Runtime print only fatal messages. The runtime throws its errors anyway, and many of its messages mean
 * nothing to users.
 */
const QUIET = { logSeverityLevel: 4 } as const;

/** @throws Error when the files do not belong to a sentence encoder, or a package is missing */
export async function loadEncoder(
  source: EncoderSource,
  { mayBeNative = false }: EncoderOptions = {},
): Promise<Encoder> {
  const { folder, name, weights } = source;
  const runtime = await loadRuntime(mayBeNative);
  const { pooling, maxTokens } = await readModelConfig(folder, name);
  const definition = await readJsonOrThrow(folder, TOKENIZER_FILE);
  const tokenizerConfig = await readJsonOrThrow(folder, TOKENIZER_CONFIG_FILE);
  const tokenizer = createTokenizer(runtime.Tokenizer, definition, tokenizerConfig);
  const tokensOf = createTokenCutter(tokenizer, { maxTokens, isSplitAtSpaces: splitsAtSpaces(definition) });
  const session = await runtime.onnx.InferenceSession.create(join(folder, weights), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    ...QUIET,
  });
  const unknown = session.inputNames.find(input => !INPUTS.includes(input));
  if (unknown !== undefined) throw new Error(`${weights} has an input '${unknown}' that is not supported`);
  const output = OUTPUTS.find(each => session.outputNames.includes(each)) ?? session.outputNames[0] ?? '';
  return {
    runtime: runtime.inUse,
    encode: async text => {
      const results = await session.run(feedsOf(runtime, session, tokensOf(text)), [output], QUIET);
      return toUnitLength(poolTokens(floatsOf(results[output] as Tensor), pooling));
    },
  };
}

function feedsOf({ onnx }: Runtime, session: InferenceSession, tokens: readonly number[]) {
  const tensor = (values: BigInt64Array) => new onnx.Tensor('int64', values, [1, values.length]);
  const feeds: Record<string, Tensor> = {
    input_ids: tensor(BigInt64Array.from(tokens, BigInt)),
    attention_mask: tensor(new BigInt64Array(tokens.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(tokens.length)),
  };
  return Object.fromEntries(session.inputNames.map(name => [name, feeds[name] as Tensor]));
}

/**
 * The numbers of an output for one text. The output has one row for each token, or a single row that is already pooled.
 */
function floatsOf({ data, dims }: Tensor): { values: Float32Array; width: number } {
  const [texts, ...rest] = dims;
  if (!(data instanceof Float32Array) || texts !== 1 || rest.length < 1 || rest.length > 2)
    throw new Error(`the model returned a tensor of shape ${dims.join(' × ')}, which is not the vector of a text`);
  return { values: data, width: rest.at(-1) as number };
}

/**
 * Combines the rows of all tokens into one row. No row is padding, because the model runs with a single text at a time.
 *
 * @param values rows of `width` numbers, one for each token
 */
function poolTokens({ values, width }: { values: Float32Array; width: number }, pooling: Pooling): Float32Array {
  if (pooling === 'cls') return values.slice(0, width);
  const mean = new Float64Array(width);
  const count = values.length / width;
  for (let row = 0; row < values.length; row += width) {
    for (let column = 0; column < width; column++)
      mean[column] = (mean[column] ?? 0) + (values[row + column] ?? 0) / count;
  }
  return Float32Array.from(mean);
}

/** @throws Error when the vector is zero, or contains a number that is not finite */
function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!(length > 0 && Number.isFinite(length))) throw new Error('the model returned numbers that do not form a vector');
  return vector.map(value => value / length);
}

export type Onnx = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor'>;

/** The runtime that a model uses. */
export interface RuntimeInUse {
  isNative: boolean;
  /** The reason why the native runtime is not used although it is installed. */
  doubt?: string | undefined;
}

interface Runtime {
  onnx: Onnx;
  Tokenizer: typeof Tokenizer;
  inUse: RuntimeInUse;
}

/**
 * An optional package that users install for more speed. Engraph does not depend on it, because the package takes up
 * 288 MB and downloads more during installation.
 */
const NATIVE_PACKAGE = 'onnxruntime-node';

const require = createRequire(import.meta.url);

/** Whether the native runtime is installed; it may still fail to run on this machine. */
export function isNativeInstalled(): boolean {
  try {
    require.resolve(NATIVE_PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param mayBeNative false in a thread: the native runtime aborts the whole process when its thread is terminated
 * @throws the error of a package that cannot be loaded
 */
async function loadRuntime(mayBeNative: boolean): Promise<Runtime> {
  const { Tokenizer } = await import('../../packages/tokenizers.js');
  const { onnx: native, doubt } = mayBeNative && isNativeInstalled() ? loadNative() : {};
  if (native) return { onnx: native, Tokenizer, inUse: { isNative: true } };
  const onnx = await import('../../packages/onnxruntime.js');
  // Use one thread. With two, each text took two to three times as long beside other work on two cores.
  onnx.env.wasm.numThreads = 1;
  return { onnx, Tokenizer, inUse: { isNative: false, doubt } };
}

function loadNative(): { onnx?: Onnx; doubt?: string } {
  try {
    return { onnx: require(NATIVE_PACKAGE) as Onnx };
  } catch (error) {
    return { doubt: messageOf(error) };
  }
}
