/** The packages that run a model. They are large, and loaded only in the worker. */
import { createRequire } from 'node:module';
import type { Tokenizer } from '@huggingface/tokenizers';

export type Onnx = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor'>;

export interface Runtime {
  onnx: Onnx;
  Tokenizer: typeof Tokenizer;
}

const require = createRequire(import.meta.url);

/** @throws whatever says that a package cannot be loaded */
export async function loadRuntime(): Promise<Runtime> {
  const { Tokenizer } = await import('../../packages/tokenizers.js');
  const native = loadNative();
  if (native) return { onnx: native, Tokenizer };
  const onnx = await import('../../packages/onnxruntime.js');
  // One thread: a second one makes it no more than twice as fast, and takes the core that answers meanwhile.
  onnx.env.wasm.numThreads = 1;
  return { onnx, Tokenizer };
}

/** Who wants more speed installs onnxruntime-node beside us. We do not: it downloads binaries when it is installed. */
function loadNative(): Onnx | undefined {
  try {
    return require('onnxruntime-node') as Onnx;
  } catch {
    // Not installed, or without a binary for this platform.
    return undefined;
  }
}
