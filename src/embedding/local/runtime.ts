/** The packages that run a model. They are optional, large, and loaded only in the worker. */
import { createRequire } from 'node:module';

export type Onnx = typeof import('onnxruntime-web');
type Tokenizers = typeof import('@huggingface/tokenizers');

export interface Runtime {
  onnx: Onnx;
  /** Name of the package that `onnx` is. */
  name: string;
  Tokenizer: Tokenizers['Tokenizer'];
}

export const INSTALL_REMEDY = 'run `npm install onnxruntime-web @huggingface/tokenizers`';

const require = createRequire(import.meta.url);

/**
 * Looks whether the packages are there, without loading them.
 *
 * @returns the names of those that are missing
 */
export function missingPackages(resolve: (name: string) => string = require.resolve): string[] {
  const isThere = (name: string) => {
    try {
      return resolve(name) !== '';
    } catch {
      return false;
    }
  };
  const missing = isThere('@huggingface/tokenizers') ? [] : ['@huggingface/tokenizers'];
  return isThere('onnxruntime-node') || isThere('onnxruntime-web') ? missing : [...missing, 'onnxruntime-web'];
}

/** @throws whatever says that a package cannot be loaded */
export async function loadRuntime(): Promise<Runtime> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const native = loadNative();
  if (native) return { onnx: native, name: 'onnxruntime-node', Tokenizer };
  const onnx = await import('onnxruntime-web');
  // One thread: a second one makes it no more than twice as fast, and takes the core that answers meanwhile.
  onnx.env.wasm.numThreads = 1;
  return { onnx, name: 'onnxruntime-web', Tokenizer };
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
